import { keptMessage } from '../../../src/jobs/runs/finish/error-message.js';

describe('the text of an error', () => {
  it.each([
    ['a\0b', String.raw`a\u0000b`],
    ['half \ud83d, half \ude00, and 😀', String.raw`half \ud83d, half \ude00, and 😀`],
  ])('keeps what PostgreSQL does not store, as JSON writes it: %j', (message, kept) => {
    expect(keptMessage(message)).toBe(kept);
  });

  it.each([
    ['\0'.repeat(2000), String.raw`\u0000`, 1],
    ['😀'.repeat(1001), '😀', 2],
    ['\ud83d'.repeat(700), String.raw`\ud83d`, 1],
  ])('is cut between two characters, and says how much is left out', (message, kept, units) => {
    const [, head = '', leftOut = ''] = /^(.*)… \((\d+) more characters\)$/s.exec(keptMessage(message)) ?? [];
    expect(head.replaceAll(kept, '')).toBe('');
    expect((head.length / kept.length) * units + Number(leftOut)).toBe(message.length);
    expect(keptMessage(message).length).toBeLessThanOrEqual(2000);
  });
});
