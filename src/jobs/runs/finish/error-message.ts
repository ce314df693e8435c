import { storableText } from '../../invoker/index.js';

/** Characters of an error message that a run keeps, the mark of a cut included. */
const MAX_LENGTH = 2000;

function cutMark(leftOut: number): string {
  return `… (${leftOut} more characters)`;
}

/** What a run keeps of an error message; where it is cut, its end says how much was left out. */
export function keptMessage(message: string): string {
  const whole = storableText(message.slice(0, MAX_LENGTH + 1));
  if (message.length <= MAX_LENGTH && whole.length <= MAX_LENGTH) return whole;
  const room = MAX_LENGTH - cutMark(message.length).length;
  let head = '';
  let taken = 0;
  // By characters, so that a pair of surrogates is not cut, nor what stands for a half of one.
  for (const character of message.slice(0, room + 1)) {
    const kept = storableText(character);
    if (head.length + kept.length > room) break;
    head += kept;
    taken += character.length;
  }
  return head + cutMark(message.length - taken);
}
