// Joins packages for Jest, which would otherwise find and link their thousands of files again for each suite.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundling.mjs';

const repoRoot = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(repoRoot, '.cache/test-packages');

/** Packages of many files, and those that share a part with them. */
const PACKAGES = [
  '@fastify/static',
  '@nestjs-modules/mailer',
  '@nestjs/bull',
  '@nestjs/common',
  '@nestjs/common/constants.js',
  '@nestjs/core',
  '@nestjs/passport',
  '@nestjs/platform-fastify',
  '@nestjs/schedule',
  '@nestjs/swagger',
  '@nestjs/typeorm',
  '@willsoto/nestjs-prometheus',
  'class-transformer',
  'class-validator',
  'fastify',
  'passport-jwt',
  'pg',
  'prom-client',
  'typeorm',
];

/** Names what a package exports: of a CommonJS one a bundle exports the whole alone. */
async function entryOf(name) {
  const { default: whole, ...named } = await import(name);
  const list = Object.keys(named).filter((key) => /^[A-Za-z_$][\w$]*$/.test(key));
  return [
    `import * as all from '${name}';`,
    `const { ${list.map((key) => `${key}: _${key}`).join(', ')} } = all;`,
    `export { ${list.map((key) => `_${key} as ${key}`).join(', ')} };`,
    whole === undefined ? '' : 'export default all.default;',
  ].join('\n');
}

const entries = new Map();
for (const name of PACKAGES) entries.set(`entry:${name}`, await entryOf(name));

rmSync(folder, { recursive: true, force: true });
await bundle({
  entryPoints: PACKAGES.map((name) => ({ in: `entry:${name}`, out: name })),
  outdir: folder,
  chunkNames: 'shared/[hash]',
  plugins: [
    {
      name: 'entries',
      setup({ onResolve, onLoad }) {
        onResolve({ filter: /^entry:/ }, ({ path }) => ({ path, namespace: 'entry' }));
        onLoad({ filter: /^entry:/, namespace: 'entry' }, ({ path }) => ({
          contents: entries.get(path),
          resolveDir: repoRoot,
        }));
      },
    },
  ],
});
writeFileSync(join(folder, 'names.json'), JSON.stringify(PACKAGES));
