import { mkdir, writeFile } from 'node:fs/promises';
import { say } from '../../scripts/prepare/report.mjs';
import { renderResults } from './markdown.mjs';

const folder = new URL('../results/', import.meta.url);

/**
 * Prints the tables, and keeps them.
 * @param {{ keep: boolean, reason: string | null }} decision whether files are written, and if not, why
 */
export async function writeResults(results, { keep, reason }) {
  const document = renderResults(results);
  process.stdout.write(document);
  if (reason !== null) say(reason);
  if (!keep) return;
  await mkdir(folder, { recursive: true });
  const name = `${results.date.slice(0, 10)}-${results.commit}.json`;
  await writeFile(new URL(name, folder), `${JSON.stringify(results, null, 2)}\n`);
  await writeFile(new URL('latest.md', folder), document);
  say(`Written: bench/results/${name} and bench/results/latest.md (${results.seconds} s).`);
}
