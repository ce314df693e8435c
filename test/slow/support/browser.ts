import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** `TEST_CHROMIUM`, else the first Chromium on PATH. */
function executable(): string {
  const { TEST_CHROMIUM, PATH = '' } = process.env;
  if (TEST_CHROMIUM !== undefined) return TEST_CHROMIUM;
  const candidates = PATH.split(delimiter).flatMap((folder) =>
    ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)),
  );
  const found = candidates.find((path) => existsSync(path));
  if (found === undefined) throw new Error('there is no Chromium on PATH; TEST_CHROMIUM may name one');
  return found;
}

export async function startBrowser(): Promise<Browser> {
  return await chromium.launch({
    executablePath: executable(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}
