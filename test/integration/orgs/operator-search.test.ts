import { randomBytes } from 'node:crypto';
import { Client, signUp } from '../../support/client.js';
import { sharedProgram } from '../../support/shared-program.js';

const PROFILES = [
  { profile: 'organization', path: '/admin/v1/orgs', slugField: 'slug' },
  { profile: 'project', path: '/admin/v1/projects', slugField: 'ref' },
] as const;

interface Listed {
  readonly id: string;
}

describe.each(PROFILES)("the operator's search, in the $profile profile", ({ profile, path, slugField }) => {
  const word = `w${randomBytes(6).toString('hex')}`;
  let operator: Client;
  let owner: Record<string, string>;

  beforeAll(async () => {
    const { url, adminToken } = await sharedProgram(profile);
    operator = new Client(url).as(adminToken);
    owner = profile === 'organization' ? { owner_id: (await signUp(url)).userId } : {};
  });

  async function make(slug: string, name: string): Promise<string> {
    const { status, body } = await operator.post<Listed>(path, { [slugField]: slug, name, ...owner });
    expect([status, body]).toEqual([201, body]);
    return body.id;
  }

  async function found(search: string, more = ''): Promise<string[]> {
    const { status, body } = await operator.get<Listed[]>(
      `${path}?search=${encodeURIComponent(search)}${more}`,
    );
    expect([search, status]).toEqual([search, 200]);
    return body.map(({ id }) => id);
  }

  it('finds by how words of the name and the short name begin, in any order and case, newest first', async () => {
    const traders = await make(`${word}-traders`, `Nørd ${word}`);
    const bakery = await make(`${word}-bakery`, 'Bäckerei Überall, שלום');
    expect(await found(word)).toEqual([bakery, traders]);
    expect(await found(`${word} NØR`)).toEqual([traders]);
    expect(await found(`bäck ${word.slice(0, 8)}`)).toEqual([bakery]);
    expect(await found(`שלו ${word}`)).toEqual([bakery]);
    // The same letters, as other systems write them.
    expect(await found(`Ba\u0308ck ${word}`)).toEqual([bakery]);
    expect(await found(`${word} grace`)).toEqual([]);
    expect(await found(word.slice(1))).toEqual([]);
    expect(await found(word, '&limit=1')).toEqual([bakery]);
  });

  it('takes signs of its own language as text', async () => {
    for (const search of ['@', "'", '\\', `${word}:*`, `!${word}`, `${word} | a`, 'a'])
      expect([search, await found(search)]).toEqual([search, []]);
    expect((await operator.get(`${path}?search=`)).status).toBe(400);
    expect((await operator.get(`${path}?search=${'x'.repeat(255)}`)).status).toBe(400);
  });
});

it("the operator's search for users finds none by what the index knows of their realm", async () => {
  const { url, adminToken } = await sharedProgram();
  const { userId } = await signUp(url);
  const operator = new Client(url).as(adminToken);
  for (const search of ['re', 'realm', '@00000000', '00000000'])
    expect(
      (await operator.get<Listed[]>(`/admin/v1/users?search=${search}&limit=100`)).body,
    ).not.toContainEqual(expect.objectContaining({ id: userId }));
});
