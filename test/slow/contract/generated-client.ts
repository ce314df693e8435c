import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import openapiTypes, { astToString } from 'openapi-typescript';
import { PASSWORD } from '../../support/client.js';
import type { OpenApiDocument, Profile } from '../../support/client-types.js';

const run = promisify(execFile);
const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const COMPILING = [
  join(MODULES, 'typescript/bin/tsc'),
  ...['--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'],
];

const CREDENTIALS = `{ email: 'generated@example.com', password: '${PASSWORD}' }`;

/** By profile: what a sign-in says besides who it is, and a call that is refused. */
const OF_PROFILE = {
  organization: {
    parameters: `params: { query: { grant_type: 'password' } },`,
    refused: `client.GET('/auth/v1/orgs/{org}', { headers, params: { path: { org: 'none' } } })`,
  },
  project: { parameters: '', refused: `client.GET('/auth/v1/users', { headers })` },
};

/** Written as a user of openapi-fetch writes it: by the types alone. */
function programOf(profile: Profile): string {
  const { parameters, refused } = OF_PROFILE[profile];
  return `
import createClient from 'openapi-fetch';
import type { paths } from './api.js';

const [, , baseUrl = '', apikey = ''] = process.argv;
const client = createClient<paths>({ baseUrl, headers: apikey === '' ? {} : { apikey } });
await client.POST('/auth/v1/signup', { body: ${CREDENTIALS} });
const { data, error } = await client.POST('/auth/v1/token', { ${parameters} body: ${CREDENTIALS} });
if (data === undefined) throw new Error(error.error.code);
const headers = { authorization: 'Bearer ' + data.access_token };
const user = await client.GET('/auth/v1/user', { headers });
const refusal = await ${refused};
console.log(JSON.stringify([user.data?.email, refusal.error?.error.code]));`;
}

/**
 * Generates a client from the document, compiles a program with it under strict, and lets it sign up, sign in and
 * be refused something.
 * @returns the address of whom it signed in, and the code of the refusal
 */
export async function runGeneratedClient(
  profile: Profile,
  document: OpenApiDocument,
  url: string,
  apikey: string,
): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'service-generated-'));
  try {
    await symlink(MODULES, join(folder, 'node_modules'));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder, 'api.ts'), astToString(await openapiTypes(JSON.stringify(document))));
    await writeFile(join(folder, 'program.ts'), programOf(profile));
    await run(process.execPath, [...COMPILING, 'program.ts'], { cwd: folder });
    const { stdout } = await run(process.execPath, ['program.js', url, apikey], { cwd: folder });
    return JSON.parse(stdout);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
