// Reduces package.json to what the bundled programs load in an image, so that npm install brings these packages, in the
// versions of package-lock.json, and nothing else.
import { readFileSync, writeFileSync } from 'node:fs';
import { installedDependencies } from './unbundled.mjs';

const manifestFile = new URL('../../package.json', import.meta.url);
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'));

delete manifest.devDependencies;
delete manifest.overrides;
delete manifest.workspaces;
manifest.dependencies = installedDependencies(lock);
writeFileSync(manifestFile, JSON.stringify(manifest, null, 2));
