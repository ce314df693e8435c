import Negotiator from 'negotiator';

/** The languages of mails and pages, each by its primary subtag (BCP 47). */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'ja'] as const;

export type Language = (typeof LANGUAGES)[number];

/** BCP 47 (RFC 5646, section 4.4.1) asks programs to take tags of at least this many characters. */
export const MAX_LOCALE = 35;

/** A language tag in its canonical form, such as `pt-BR` for `pt-br`; null for text that is none (RFC 5646). */
export function canonicalLocale(tag: string): string | null {
  if (tag.length > MAX_LOCALE) return null;
  try {
    const [canonical = null] = Intl.getCanonicalLocales(tag);
    return canonical !== null && canonical.length <= MAX_LOCALE ? canonical : null;
  } catch {
    return null;
  }
}

/** The language of a tag, whatever its region and script: `de` for `de-AT`. Null when mails and pages do not have it. */
export function languageOf(tag: string): Language | null {
  const canonical = canonicalLocale(tag);
  const primary = canonical?.split('-', 1)[0];
  return LANGUAGES.find((language) => language === primary) ?? null;
}

/** Characters of `Accept-Language` that are read. Browsers send fewer than a hundred. */
const MAX_HEADER = 512;

/**
 * The language that a request prefers (RFC 9110, section 12.5.4). Null when it names none of ours: `*`, which HTTP
 * clients of programs send, says nothing about a person.
 */
export function acceptedLanguage(header: string | undefined): Language | null {
  if (header === undefined) return null;
  const isWhole = header.length <= MAX_HEADER;
  const ranges = header.slice(0, MAX_HEADER).split(',');
  // What the cut may have left of a range could mean another language.
  const named = (isWhole ? ranges : ranges.slice(0, -1)).filter((range) => !/^\s*(\*|;|$)/.test(range));
  if (named.length === 0) return null;
  const preferred = new Negotiator({ headers: { 'accept-language': named.join(',') } }).language(LANGUAGES);
  return LANGUAGES.find((language) => language === preferred) ?? null;
}
