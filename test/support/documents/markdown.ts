import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));

/** A fenced block of a document. */
export interface Block {
  /** The document and the line of the fence, in the form that editors open. */
  readonly place: string;
  readonly language: string;
  readonly text: string;
}

/** README and all documents below docs/, examples/, deploy/ and bench/, by their paths in the repository. */
export function documents(): string[] {
  const below = ['docs', 'examples', 'deploy', 'bench'].flatMap((folder) =>
    readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md') && !path.includes('node_modules'))
      .map((path) => `${folder}/${path}`),
  );
  return ['README.md', ...below.sort()];
}

export function textOf(document: string): string {
  return readFileSync(join(REPOSITORY, document), 'utf8');
}

export function blocksOf(document: string): Block[] {
  const text = textOf(document);
  return [...text.matchAll(/^( *)```(\S*)\n([^]*?)^\1```$/gm)].map(
    ([whole, indent = '', language = '', inside = '']) => ({
      place: `${document}:${text.slice(0, text.indexOf(whole)).split('\n').length}`,
      language,
      text: inside.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
}
