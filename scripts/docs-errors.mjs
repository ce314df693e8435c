// npm run docs:errors. Writes docs/errors.md from the codes in src/http/errors/error-codes.ts.
import { writeFile } from 'node:fs/promises';
import { ensureBuild } from './prepare/build.mjs';
import { repoRoot } from './prepare/report.mjs';

await ensureBuild();
const { renderErrorReference } = await import('../dist/src/http/errors/error-reference.js');
await writeFile(new URL('docs/errors.md', repoRoot), renderErrorReference());
