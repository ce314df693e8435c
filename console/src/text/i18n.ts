import i18next from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

const KEPT_AS = 'service.console.language';

function isLanguage(value: string | null | undefined): value is Language {
  return value != null && value in LANGUAGES;
}

/** What was chosen here before, else the first language of the browser that there is. */
function initialLanguage(): Language {
  const kept = localStorage.getItem(KEPT_AS);
  if (isLanguage(kept)) return kept;
  return navigator.languages.map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'en';
}

void i18next.use(initReactI18next).init({
  lng: initialLanguage(),
  fallbackLng: 'en',
  resources: {},
  // React escapes what it shows.
  interpolation: { escapeValue: false },
  initAsync: false,
  keySeparator: false,
  nsSeparator: false,
});
document.documentElement.lang = i18next.language;

export function setLanguage(language: Language): void {
  localStorage.setItem(KEPT_AS, language);
  document.documentElement.lang = language;
  void i18next.changeLanguage(language);
}

export function useLanguage(): Language {
  const { i18n } = useTranslation();
  return isLanguage(i18n.language) ? i18n.language : 'en';
}

/** The keys of a text; `items_one` and `items_other` are `items` with a `count`. */
type KeyOf<Texts> = keyof Texts extends infer Key
  ? Key extends `${infer Stem}_one` | `${infer Stem}_other`
    ? Stem
    : Key & string
  : never;

export type Translate<Texts> = (key: KeyOf<Texts>, values?: Record<string, unknown>) => string;

/**
 * The texts of a folder in every language, under a name of its own. @returns a hook that gives the function from a key to
 * its text
 */
export function defineTexts<Texts extends Record<string, string>>(
  name: string,
  texts: { en: Texts } & Record<Language, Record<keyof Texts, string>>,
): () => Translate<Texts> {
  for (const [language, text] of Object.entries(texts)) i18next.addResourceBundle(language, name, text);
  return () => {
    const { t } = useTranslation(name);
    return t as unknown as Translate<Texts>;
  };
}
