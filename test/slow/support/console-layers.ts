import type { Locator, Page } from 'playwright-core';
import { settled, violationsOf } from './console.js';

/** What opens above a page. */
const ROLES = ['dialog', 'menu', 'listbox'];
const LAYER = ROLES.map((role) => `[role=${role}]:visible`).join();
/** What may open one; what sends a form has been opened already. */
const OPENERS = 'main button:visible:enabled:not([type=submit]), main input[aria-haspopup]:visible:enabled';
/** Real time: nothing tells that a button opens nothing. */
const OPENS_MS = 700;

export interface Layer {
  readonly role: string;
  /** The heading of a dialog, without the name of what it is about. */
  readonly title: string;
  readonly violations: readonly string[];
}

/** Looks with axe, in both themes, at each dialog, menu and list that the buttons of a page open. */
export async function layersOf(page: Page, address: string): Promise<Layer[]> {
  const found: Layer[] = [];
  const visit = async (): Promise<void> => {
    await page.goto(address);
    await settled(page);
  };
  await visit();
  const here = page.url();
  const names = new Set(await namesOn(page));
  for (const name of names) {
    if (name.startsWith('Copy')) continue;
    if (page.url() !== here || (await page.locator(LAYER).count()) > 0) await visit();
    const open = async (): Promise<{ role: string } | null> =>
      await opened(page, page.locator(OPENERS).nth((await namesOn(page)).indexOf(name)));
    // What a button before it did may have taken it away.
    if (!(await namesOn(page)).includes(name)) await visit();
    const layer = await open();
    if (layer === null) continue;
    found.push(await lookAt(page, layer));
    const items = layer.role === 'menu' ? await page.getByRole('menuitem').count() : 0;
    for (let item = 0; item < items; item += 1) {
      await visit();
      await open();
      const inner = await opened(page, page.getByRole('menuitem').nth(item), '[role=dialog]:visible');
      if (inner !== null) found.push(await lookAt(page, inner));
    }
    await page.keyboard.press('Escape');
    await settled(page);
  }
  return found;
}

/** The words of what may open something, without those of its row. */
async function namesOn(page: Page): Promise<string[]> {
  const openers = await page.locator(OPENERS).all();
  const labels = await Promise.all(
    openers.map(async (opener) => (await opener.getAttribute('aria-label')) ?? (await opener.innerText())),
  );
  return labels.map((label) => {
    const [words = ''] = label.split(/\n|: /);
    return words.replace(/\S+@\S+|\S*\d\S*/g, '').trim();
  });
}

async function opened(page: Page, button: Locator, layer = LAYER): Promise<{ role: string } | null> {
  await button.click({ timeout: 5_000 }).catch(() => undefined);
  const shown = page.locator(layer).first();
  const isOpen = await shown.waitFor({ timeout: OPENS_MS }).then(
    () => true,
    () => false,
  );
  return isOpen ? { role: (await shown.getAttribute('role')) ?? '' } : null;
}

async function lookAt(page: Page, { role }: { role: string }): Promise<Layer> {
  const heading =
    role === 'dialog' ? await page.getByRole('dialog').getByRole('heading').first().innerText() : role;
  const violations: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    violations.push(...(await violationsOf(page, `[role=${role}]`)).map((each) => `${colorScheme}: ${each}`));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return { role, title: heading, violations };
}
