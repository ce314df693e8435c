import { isAscii } from 'node:buffer';
import { decoderOf, decodeWith, isDecoded, markedCharset } from './decode-text.js';

/** A form with a part that is no text of its charset. */
export class FormError extends Error {
  override name = 'FormError';
}

/**
 * The fields of a form (https://url.spec.whatwg.org/#urlencoded-parsing), whose escapes stand for bytes of its charset.
 * What is none of it would become U+FFFD there; here it is refused. A byte order mark before the form is no part of it, as of
 * any other text from outside.
 *
 * @param encoded the form, or the query of a URL
 * @param charset as the media type has it, null for UTF-8
 * @throws FormError
 */
export function formFields(encoded: Uint8Array, charset: string | null): [name: string, value: string][] {
  const marked = markedCharset(encoded);
  const decoder = decoderOf(marked ?? charset ?? 'utf-8', { keepsMark: true });
  if ('problem' in decoder) throw new FormError(`The form ${decoder.problem}.`);
  if (decoder.encoding.startsWith('utf-16'))
    throw new FormError('The form is in UTF-16, in which there are no forms; send it in UTF-8.');
  const form = Buffer.from(encoded).subarray(marked === null ? 0 : UTF_8_MARK_BYTES);
  const parts = form.toString('latin1').split('&');
  return parts.flatMap((part, index): [string, string][] => {
    if (part === '') return [];
    const equals = part.indexOf('=');
    const name = decoded(
      equals === -1 ? part : part.slice(0, equals),
      decoder,
      `The name of field ${index + 1}`,
    );
    const value =
      equals === -1
        ? ''
        : decoded(part.slice(equals + 1), decoder, `The field ${JSON.stringify(name.slice(0, 80))}`);
    return [[name, value]];
  });
}

const UTF_8_MARK_BYTES = 3;

/** The one charset of forms in which bytes of ASCII may stand for other characters. */
const ESCAPING = 'iso-2022-jp';

/** @param part a character for each byte */
function decoded(part: string, decoder: InstanceType<typeof TextDecoder>, what: string): string {
  const bytes = unescaped(part.replaceAll('+', ' '));
  const isPlain = isAscii(bytes) && decoder.encoding !== ESCAPING;
  const text = isPlain ? { text: bytes.toString('latin1') } : decodeWith(decoder, bytes);
  if (isDecoded(text)) return text.text;
  throw new FormError(`${what} ${text.problem}; name the charset of the form in its Content-Type.`);
}

const PERCENT = 0x25;
/** By the code of the character; NaN for what is no digit. */
const HEX_DIGITS = Array.from({ length: 256 }, (_, code) => Number.parseInt(String.fromCharCode(code), 16));

/** In place, since a callback for each of hundreds of thousands of escapes holds the event loop for too long. */
function unescaped(part: string): Buffer {
  const bytes = Buffer.from(part, 'latin1');
  const digitAt = (index: number): number => HEX_DIGITS[bytes[index] ?? 0] ?? Number.NaN;
  let length = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    const escape = byte === PERCENT ? 16 * digitAt(index + 1) + digitAt(index + 2) : Number.NaN;
    if (!Number.isNaN(escape)) index += 2;
    bytes[length] = Number.isNaN(escape) ? byte : escape;
    length += 1;
  }
  return bytes.subarray(0, length);
}
