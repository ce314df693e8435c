import { storableText } from '../../invoker/index.js';

/** Characters of an error message that a run keeps, the mark of a cut included. */
const MAX_LENGTH = 2000;

function cutMark(leftOut: number): string {
  return `… (${leftOut} more characters)`;
}

/** What a run keeps of an error message; where it is cut, its end says how much was left out. */
export function keptMessage(message: string): string {
  if (message.length <= MAX_LENGTH) return storableText(message);
  const room = MAX_LENGTH - cutMark(message.length).length;
  // Not between the halves of a surrogate pair.
  const head = message.slice(0, room).replace(/[\ud800-\udbff]$/, '');
  return storableText(head) + cutMark(message.length - head.length);
}
