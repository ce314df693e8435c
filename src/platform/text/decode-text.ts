import { readFileSync } from 'node:fs';

/** A text, or why there is none: words that follow "it". */
export type DecodedText = { readonly text: string } | { readonly problem: string };

export function isDecoded(decoded: DecodedText): decoded is { readonly text: string } {
  return 'text' in decoded;
}

/**
 * 0x80 to 0x9f of windows-1252 (https://encoding.spec.whatwg.org/index-windows-1252.txt). Node.js 20 takes them for the
 * control characters of Latin-1.
 */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** The charset that a byte order mark tells (https://encoding.spec.whatwg.org/#bom-sniff). */
export function markedCharset(bytes: Uint8Array): string | null {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : null;
}

/**
 * The text of bytes from outside, without its byte order mark: by that mark, else by the declared charset, else as UTF-8
 * (https://encoding.spec.whatwg.org/#decode). Bytes that are none of that charset are refused, never replaced.
 *
 * @param declared a label of the Encoding Standard, as `charset` of a media type has it
 */
export function decodeText(bytes: Uint8Array, declared: string | null = null): DecodedText {
  return decodeAs(bytes, markedCharset(bytes) ?? declared ?? 'utf-8');
}

/** The same where the charset is known whatever the bytes begin with: of what has one charset only. */
export function decodeAs(bytes: Uint8Array, charset: string): DecodedText {
  const decoder = decoderOf(charset, { keepsMark: false });
  return 'problem' in decoder ? decoder : decodeWith(decoder, bytes);
}

/**
 * A decoder that refuses what is none of its charset.
 * @param keepsMark whether U+FEFF at the beginning is a character: in a part of a text it is
 */
export function decoderOf(
  charset: string,
  { keepsMark }: { keepsMark: boolean },
): InstanceType<typeof TextDecoder> | { readonly problem: string } {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: keepsMark });
  } catch {
    return { problem: `has the charset ${JSON.stringify(charset.slice(0, 40))}, which is not known` };
  }
}

export function decodeWith(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): DecodedText {
  const { encoding } = decoder;
  try {
    if (encoding === 'windows-1252') return { text: decodeWindows1252(bytes) };
    return { text: decoder.decode(bytes) };
  } catch {
    return { problem: `is not ${encoding.toUpperCase()}` };
  }
}

function decodeWindows1252(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('latin1');
  return text.replace(/[\x80-\x9f]/g, (control) => WINDOWS_1252[control.charCodeAt(0) - 0x80] ?? control);
}

/** The text of a file, which must be in UTF-8 or begin with a byte order mark. @throws what the system says of the file */
export function readTextFile(file: string): DecodedText {
  return decodeText(readFileSync(file));
}
