import { readFileSync } from 'node:fs';

/** The JavaScript blocks of a Markdown file, by the `##` heading above them. */
export function blocksOf(file: URL): Map<string, string[]> {
  const blocks = new Map<string, string[]>();
  for (const section of readFileSync(file, 'utf8').split(/^## /m).slice(1)) {
    const heading = section.slice(0, section.indexOf('\n')).trim();
    const found = [...section.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = '']) => code);
    if (found.length > 0) blocks.set(heading, found);
  }
  return blocks;
}
