#!/usr/bin/env node
// servicectl in a checkout, in the image, and in the published package.
import { existsSync } from 'node:fs';

const programs = ['../dist/src/cli/main.js', './dist/servicectl.js'].map(
  (path) => new URL(path, import.meta.url),
);
const program = programs.find((url) => existsSync(url));

if (program === undefined) {
  process.stderr.write('servicectl is not built yet. Build it with: npm run build (npm start does it too)\n');
  process.exitCode = 1;
} else {
  await import(program.href);
}
