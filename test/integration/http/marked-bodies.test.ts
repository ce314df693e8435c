import { randomBytes } from 'node:crypto';
import { PASSWORD } from '../../support/client.js';
import { fetch } from '../../support/fetch.js';
import { sharedProgram } from '../../support/shared-program.js';

/** As Windows' editors and PowerShell write a text. */
const WRITTEN: readonly (readonly [string, (text: string) => Buffer])[] = [
  ['UTF-8', (text) => Buffer.from(`\ufeff${text}`)],
  ['UTF-16, least significant byte first', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16, most significant byte first', (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
];

describe('a body that begins with a byte order mark', () => {
  it.each(WRITTEN)('is read as the mark says: JSON in %s', async (_, written) => {
    const { url } = await sharedProgram();
    const email = `${randomBytes(6).toString('hex')}@example.com`;
    const response = await fetch(`${url}/auth/v1/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: written(JSON.stringify({ email, password: PASSWORD, metadata: { name: 'Renée' } })),
    });
    expect([response.status, await response.json()]).toMatchObject([
      201,
      { user: { email, metadata: { name: 'Renée' } } },
    ]);
  });

  it('has no mark in the name of its first field: a form', async () => {
    const { url } = await sharedProgram();
    const response = await fetch(`${url}/auth/v1/pages/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from('\ufefftoken=of-nobody'),
    });
    const page = await response.text();
    // The page of a link that is no longer good, which knows the token.
    expect([response.status, page]).toEqual([400, expect.stringContaining('value="of-nobody"')]);
  });
});
