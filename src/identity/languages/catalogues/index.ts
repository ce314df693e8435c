import type { Language } from '../../../platform/languages/index.js';
import type { Catalogue } from './catalogue.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { ja } from './ja.js';
import { pt } from './pt.js';

/** What mails and pages say, by language. */
export const CATALOGUES: Readonly<Record<Language, Catalogue>> = { en, de, fr, es, pt, ja };

export type { MessageArguments, MessageKey } from './catalogue.js';
