import { Baseline1764610000000 } from './1764610000000-baseline.js';

/** Every migration, oldest first. Append only: a released migration is never edited. */
export const migrations = [Baseline1764610000000];
