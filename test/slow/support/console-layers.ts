import type { Locator, Page } from 'playwright-core';
import { settled, violationsOf } from './console.js';

/** What opens above a page. */
const LAYER = '[role=dialog]:visible, [role=menu]:visible, [role=listbox]:visible';
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
  const names = await Promise.all((await page.locator(OPENERS).all()).map(nameOf));
  const tried = new Set<string>();
  for (const [index, name] of names.entries()) {
    if (tried.has(name) || name.startsWith('Copy')) continue;
    tried.add(name);
    const layer = await opened(page, page.locator(OPENERS).nth(index));
    if (layer !== null) {
      found.push(await lookAt(page, layer));
      const items = layer.role === 'menu' ? await page.getByRole('menuitem').count() : 0;
      for (let item = 0; item < items; item += 1) {
        await visit();
        await opened(page, page.locator(OPENERS).nth(index));
        const inner = await opened(page, page.getByRole('menuitem').nth(item), '[role=dialog]:visible');
        if (inner !== null) found.push(await lookAt(page, inner));
      }
    }
    // A layer left open, another page, or a list that has changed would be in the way of the next button.
    await visit();
  }
  return found;
}

/** The words of a button, without those of its row. */
async function nameOf(button: Locator): Promise<string> {
  const label = (await button.getAttribute('aria-label')) ?? (await button.innerText());
  const [words = ''] = label.split(/\n|: /);
  return words.replace(/\S+@\S+|\S*\d\S*/g, '').trim();
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
    violations.push(...(await violationsOf(page)).map((each) => `${colorScheme}: ${each}`));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return { role, title: heading, violations };
}
