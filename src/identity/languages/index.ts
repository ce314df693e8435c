export { CATALOGUES } from './catalogues/index.js';
export type { MessageKey } from './catalogues/index.js';
export { LocaleField } from './locale-field.js';
export { Messages } from './messages.js';
export type { ArgumentsOf, Duration, Markup } from './messages.js';
export { UserLanguages } from './user-languages.js';
