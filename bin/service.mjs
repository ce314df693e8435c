#!/usr/bin/env node
// npx service …: the commands of the program, from a checkout as well as from the image.
import { existsSync } from 'node:fs';

const program = new URL('../dist/src/cli/main.js', import.meta.url);

if (existsSync(program)) {
  await import(program.href);
} else {
  process.stderr.write('Service is not built yet. Build it with: npm run build (npm start does it too)\n');
  process.exitCode = 1;
}
