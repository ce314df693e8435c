import { applyDecorators } from '@nestjs/common';
import { Rule } from './field.js';
import type { FieldOptions } from './field.js';
import { TextField } from './fields.js';

/** Characters as people count them: code points. */
const MAX_NAME_LENGTH = 80;
const LENGTH_PROBLEM = `must have 1 to ${MAX_NAME_LENGTH} characters`;

/**
 * What breaks a line or is invisible: control characters, line and paragraph separators, bidirectional controls, lone
 * surrogates, and what is displayed as nothing (Unicode, Default_Ignorable_Code_Point).
 */
const UNSEEN =
  /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u{2800}\u{FFF9}-\u{FFFB}]/u;

/**
 * Joiners between letters, which Persian and Indic scripts need, or between parts of an emoji; and variation selectors
 * of emoji. RFC 5892, appendix A, allows joiners in host names for the same reason.
 */
const SPELLING =
  /(?<=[\p{L}\p{M}])[\u200C\u200D](?=\p{L})|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})|(?<=\p{Emoji})[\uFE0E\uFE0F]/gu;

const SCHEME = /\/\/|\b(?:mailto|tel|javascript|ftp|https?):\S/iu;
const WEB_HOST = /(?:^|[^\p{L}\p{N}])www\d*\./iu;
const EMAIL = /[^\s@]@[^\s@]+\.[^\s@]/u;
/** A host name or IPv4 address followed by a path, a query or a port. Without those it may be a company's name. */
const HOST_WITH_PATH = /(?:[\p{L}\p{N}-]\.\p{L}{2,}|\d\.\d{1,3}\.\d{1,3}\.\d{1,3})(?:[/\\#]|\?\S|:\d)/u;

/** Reads compatible forms, such as full-width letters, as the plain ones, since mail programs display them alike. */
function hasLink(name: string): boolean {
  const plain = name.replaceAll(SPELLING, '').normalize('NFKC');
  return [SCHEME, WEB_HOST, EMAIL, HOST_WITH_PATH].some((form) => form.test(plain));
}

/**
 * What is wrong with the name of an organization or a project, or null. The name appears in the subjects of mails to
 * strangers, so it must be one line of visible text without a link. A host name alone is not a link: some companies are
 * named so ("Booking.com"), and mails display it in a way that mail programs do not turn into a link.
 */
export function nameProblem(value: unknown): string | null {
  if (typeof value !== 'string') return 'must be text';
  // The length in UTF-16 first, since the time of the other checks depends on it. An empty name is blank.
  if (value.length > 2 * MAX_NAME_LENGTH || [...value].length > MAX_NAME_LENGTH || value === '')
    return LENGTH_PROBLEM;
  if (!/\S/.test(value)) return 'must not be blank';
  if (UNSEEN.test(value.replaceAll(SPELLING, '')))
    return 'must be one line, without control characters and characters that cannot be seen';
  return hasLink(value) ? 'must not contain a link or an e-mail address' : null;
}

/** The name of an organization or a project. */
export function NameField(options: FieldOptions = {}): PropertyDecorator {
  return applyDecorators(
    TextField(1, MAX_NAME_LENGTH, {
      example: 'Acme Inc.',
      description: 'One line of visible text, without links and e-mail addresses.',
      ...options,
    }),
    Rule(nameProblem),
  );
}
