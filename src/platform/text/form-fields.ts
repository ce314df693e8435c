import { decodeAs, isDecoded } from './decode-text.js';

/** A form with a part that is no text of its charset. */
export class FormError extends Error {
  override name = 'FormError';
}

/**
 * The fields of a form (https://url.spec.whatwg.org/#urlencoded-parsing), whose escapes stand for bytes of its charset.
 * What is none of it would become U+FFFD there; here it is refused.
 *
 * @param encoded the form, or the query of a URL
 * @param charset as the media type has it, null for UTF-8
 * @throws FormError
 */
export function formFields(encoded: Uint8Array, charset: string | null): [name: string, value: string][] {
  const parts = Buffer.from(encoded).toString('latin1').split('&');
  return parts.flatMap((part, place): [string, string][] => {
    if (part === '') return [];
    const equals = part.indexOf('=');
    const name = decoded(
      equals === -1 ? part : part.slice(0, equals),
      charset,
      `The name of field ${place + 1}`,
    );
    const value =
      equals === -1
        ? ''
        : decoded(part.slice(equals + 1), charset, `The field ${JSON.stringify(name.slice(0, 80))}`);
    return [[name, value]];
  });
}

/** @param part a character for each byte */
function decoded(part: string, charset: string | null, what: string): string {
  const bytes = part
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const text = /^\p{ASCII}*$/u.test(bytes)
    ? { text: bytes }
    : decodeAs(Buffer.from(bytes, 'latin1'), charset ?? 'utf-8');
  if (isDecoded(text)) return text.text;
  throw new FormError(`${what} ${text.problem}; name the charset of the form in its Content-Type.`);
}
