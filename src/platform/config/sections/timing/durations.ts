import { integer } from '../../schema/kind.js';
import { setting } from '../../schema/setting.js';
import type { Setting } from '../../schema/setting.js';

/** A time in milliseconds of up to a day, which timers of Node can hold. */
export function milliseconds(standard: number, doc: string): Setting<number> {
  return setting(integer(1, 86_400_000), { default: standard, doc });
}

/** Up to a year. */
export function seconds(standard: number, doc: string): Setting<number> {
  return setting(integer(1, 31_536_000), { default: standard, doc });
}

/** Up to a year. */
export function hours(standard: number, doc: string): Setting<number> {
  return setting(integer(1, 8_760), { default: standard, doc });
}

/** Up to a hundred years. */
export function days(standard: number, doc: string): Setting<number> {
  return setting(integer(1, 36_500), { default: standard, doc });
}
