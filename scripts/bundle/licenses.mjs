import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repoRoot = fileURLToPath(new URL('../..', import.meta.url));

/** The licences of joined packages, which ask that their text goes along. `folders` are paths below the repository. */
export function licensesOf(folders) {
  return [...new Set([...folders].sort().map(licenseOf))].join('\n');
}

function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(repoRoot, folder, 'package.json'), 'utf8'));
  const file = readdirSync(join(repoRoot, folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : readFileSync(join(repoRoot, folder, file), 'utf8').trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
}
