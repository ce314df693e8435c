import { readdirSync } from 'node:fs';
import { textOf } from './markdown.js';

/** A change of docs/adding.md, as its patch makes it. */
export interface Exercise {
  /** Its patch, by the path in the repository. */
  readonly patch: string;
  /** The files that its table lists. */
  readonly listed: readonly string[];
  /** The suites that its section says to run. */
  readonly suites: readonly string[];
}

const FILE = /^\| `([^`]+)` +\|/gm;
const PATCH = /`git apply (docs\/adding\/[\w-]+\.patch)`/;
const COMMAND = /`npm test -- ([^`]+)`/;

/** The exercises in the order of the page, whose sections name a patch. */
export function exercises(): Exercise[] {
  const sections = textOf('docs/adding.md').split(/^## /m).slice(1);
  return sections.map((section) => ({
    patch: PATCH.exec(section)?.[1] ?? '',
    listed: [...section.matchAll(FILE)].map(([, file = '']) => file),
    suites: COMMAND.exec(section)?.[1]?.split(/\s+/) ?? [],
  }));
}

/** All patches that are there. */
export function patches(): string[] {
  return readdirSync(new URL('../../../docs/adding', import.meta.url)).map((name) => `docs/adding/${name}`);
}
