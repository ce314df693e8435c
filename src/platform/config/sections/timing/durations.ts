import { integer } from '../../schema/kind.js';
import { setting } from '../../schema/setting.js';
import type { Setting } from '../../schema/setting.js';

/** A time in milliseconds of up to a day, which timers of Node can hold. */
export function milliseconds(standard: number, doc: string): Setting<number> {
  return setting(integer(1, 86_400_000), { default: standard, doc });
}
