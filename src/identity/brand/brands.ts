import { readable, textOn } from '../../platform/brand/index.js';
import type { RealmId } from '../users/user.repository.js';

/** How the mails and pages of a realm look. Every address is checked by `httpsUrl` or `supportUrl`. */
export interface Brand {
  /** Null where nothing names the product. */
  readonly name: string | null;
  readonly logoUrl: string | null;
  /** `#rrggbb` in lower case. */
  readonly color: string | null;
  readonly supportUrl: string | null;
}

export const NO_BRAND: Brand = { name: null, logoUrl: null, color: null, supportUrl: null };

/** The colour of buttons in mails without a brand. */
export const DEFAULT_COLOR = '#3449ad';

/** The colours of a button: the brand's own, with text that can be read on it. */
export function buttonColors({ color }: Brand): { readonly color: string; readonly textColor: string } {
  const background = color ?? DEFAULT_COLOR;
  return { color: background, textColor: textOn(background) };
}

/** Text at 7:1 (WCAG 2.2, 1.4.6). */
const LEAST_CONTRAST = 7;

/** A shade of the colour for links and focus rings, readable on all of the backgrounds. */
export function accentOn(color: string, backgrounds: readonly [string, ...string[]]): string {
  return readable(color, backgrounds, LEAST_CONTRAST);
}

/** Where mails and pages get their look from. The active profile provides it. */
export abstract class Brands {
  abstract of(realmId: RealmId): Promise<Brand>;
}
