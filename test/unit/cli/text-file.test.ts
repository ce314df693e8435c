import { textOf } from '../../../servicectl/src/caller/text-file.js';

const swapped = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

it.each([
  ['UTF-8', Buffer.from('Größe')],
  ['UTF-8 with its mark', Buffer.from('\u{FEFF}Größe')],
  ['UTF-16 with its mark', Buffer.from('\u{FEFF}Größe', 'utf16le')],
  ['UTF-16 in the other order with its mark', swapped('\u{FEFF}Größe')],
])('a file in %s is read', (_, bytes) => {
  expect(textOf('jobs.json', bytes)).toBe('Größe');
});

it.each([
  ['UTF-8', Buffer.from('Größe', 'latin1')],
  ['UTF-16LE', Buffer.from([0xff, 0xfe, 0x41])],
  ['UTF-16BE', Buffer.from([0xfe, 0xff, 0xd8, 0x00, 0x00, 0x41])],
])('a file that is not %s is refused, not changed', (charset, bytes) => {
  expect(() => textOf('jobs.json', bytes)).toThrow(`jobs.json is not ${charset}; save it as UTF-8`);
});
