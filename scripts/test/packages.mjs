// Writes for each package that suites load a module which exports what Node has loaded of it once for a worker of Jest.
// Jest would find, compile and link its files again for each suite.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../.cache/test-packages', import.meta.url));

/** Those that many suites load, and those whose classes the program and a suite must share. */
const PACKAGES = [
  '@nestjs/common',
  '@nestjs/common/constants.js',
  '@nestjs/core',
  '@nestjs/platform-fastify',
  '@nestjs/schedule',
  '@octokit/webhooks-methods',
  '@slack/bolt',
  'argon2',
  'bcryptjs',
  'commander',
  'express',
  'express-oauth2-jwt-bearer',
  'fast-check',
  'fastify',
  'ioredis',
  'jose',
  'nodemailer',
  'oauth4webapi',
  'otpauth',
  'pg',
  'pino',
  'postal-mime',
  'prom-client',
  'rxjs',
  'smtp-server',
  'stripe',
  'typeorm',
  'typescript',
  'yaml',
];

/** @returns the text of the module; `importPackage` is a global of test/support/compiled/environment.js */
async function exporting(name) {
  const names = Object.keys(await import(name)).filter((key) => /^[A-Za-z_$][\w$]*$/.test(key));
  return [
    `const all = await importPackage('${name}');`,
    `const { ${names.map((key) => `${key}: _${key}`).join(', ')} } = all;`,
    `export { ${names.map((key) => `_${key} as ${key}`).join(', ')} };`,
    '',
  ].join('\n');
}

rmSync(folder, { recursive: true, force: true });
for (const name of PACKAGES) {
  const file = join(folder, `${name}.js`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, await exporting(name));
}
writeFileSync(join(folder, 'names.json'), JSON.stringify(PACKAGES));
