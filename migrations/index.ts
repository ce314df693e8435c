import { Baseline1764600000000 } from './1764600000000-baseline.js';

/** Every migration, oldest first. Append only: a released migration is never edited. */
export const migrations = [Baseline1764600000000];
