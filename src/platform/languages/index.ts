export { acceptedLanguage, canonicalLocale, languageOf, LANGUAGES, MAX_LOCALE } from './languages.js';
export type { Language } from './languages.js';
