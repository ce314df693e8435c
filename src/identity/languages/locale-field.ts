import { FormField } from '../../http/index.js';
import { canonicalLocale, MAX_LOCALE } from '../../platform/languages/index.js';

const NO_LOCALE = `must be a language tag of at most ${MAX_LOCALE} characters, such as pt-BR`;

/** A language tag (BCP 47), held in its canonical form, or null for none. May be left out. */
export function LocaleField(
  description = 'Language of mails and pages, as a tag of BCP 47.',
): PropertyDecorator {
  return FormField(
    {
      max: MAX_LOCALE,
      tooLong: NO_LOCALE,
      schema: { minLength: 2, maxLength: MAX_LOCALE },
      read: canonicalLocale,
      problemOf: () => NO_LOCALE,
    },
    { optional: true, nullable: true, example: 'pt-BR', description },
  );
}
