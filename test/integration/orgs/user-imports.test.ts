import { randomBytes } from 'node:crypto';
import { Client, signUpOwner } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { importLines } from '../../support/imports.js';
import type { ImportReport } from '../../support/imports.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { AuditVerifier } from '../../../src/audit/index.js';

const OPERATOR = 'the-operator-of-these-imports';
const PATH = '/admin/v1/users/import';

function freshAddress(): string {
  return `${randomBytes(6).toString('hex')}@example.com`;
}

interface Organization {
  readonly id: string;
  readonly slug: string;
  readonly owner: Client;
}

describe('the import of members', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let operator: Client;

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceInProcess.start({
      ...environment.variables,
      SERVICE_ADMIN__TOKEN: OPERATOR,
      SERVICE_LIMITS__MEMBERS_PER_ORGANIZATION: '4',
      SERVICE_LIMITS__ORGANIZATIONS_PER_ACCOUNT: '2',
      SERVICE_LIMITS__MEMBERSHIPS_PER_ACCOUNT: '3',
    });
    operator = new Client(service.url).as(OPERATOR);
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  const organization = async (): Promise<Organization> => {
    const { client } = await signUpOwner(service.url);
    const { body } = await client.get<{ id: string; slug: string }[]>('/auth/v1/orgs');
    return { id: body[0]?.id ?? '', slug: body[0]?.slug ?? '', owner: client };
  };

  const imported = async (lines: readonly object[]): Promise<ImportReport> => {
    const { status, body } = await importLines(operator, PATH, lines);
    expect(status).toBe(200);
    return body;
  };

  const membersOf = async ({ slug, owner }: Organization): Promise<Record<string, string>> => {
    const { body } = await owner.get<{ email: string; role: string }[]>(`/auth/v1/orgs/${slug}/members`);
    return Object.fromEntries(body.map(({ email, role }) => [email, role]));
  };

  it('adds an account to all organizations of its line, and tells their audit trails', async () => {
    const [acme, other] = [await organization(), await organization()];
    const [ada, bob] = [freshAddress(), freshAddress()];
    const report = await imported([
      {
        email: ada,
        organizations: [
          { slug: acme.slug, role: 'admin' },
          { slug: other.slug, role: 'owner' },
        ],
      },
      { email: bob, organizations: [{ slug: acme.slug, role: 'member' }] },
    ]);
    expect(report).toMatchObject({ created: 2, refused: 0 });
    expect(await membersOf(acme)).toMatchObject({ [ada]: 'admin', [bob]: 'member' });
    expect(await membersOf(other)).toMatchObject({ [ada]: 'owner' });
    const { body } = await acme.owner.get<
      { action: string; actor: object; details: { members: object[] } }[]
    >(`/auth/v1/orgs/${acme.slug}/audit?action=members.imported`);
    expect(body).toHaveLength(1);
    expect(body[0]).toMatchObject({ actor: { type: 'operator' } });
    expect(body[0]?.details.members.map((member) => (member as { role: string }).role).sort()).toEqual([
      'admin',
      'member',
    ]);
    const [summary] = await environment.database.query(
      `SELECT details FROM audit_entries WHERE action = 'users.imported' AND chain_id = 'deployment'
       ORDER BY position DESC LIMIT 1`,
    );
    expect(summary).toEqual({ details: { accounts: 2, first_line: 1, last_line: 2 } });
  });

  it('links the entries of a batch so that every chain verifies', async () => {
    const verification = await service.application.get(AuditVerifier).verifyChains({ chainIds: null });
    expect(verification).toMatchObject({ broken: [] });
  });

  it('creates no account where an organization or role is missing, so that a corrected line still can', async () => {
    const { slug } = await organization();
    const email = freshAddress();
    const wrong = [
      { email, organizations: [{ slug: 'no-such-organization', role: 'member' }] },
      { email: freshAddress(), organizations: [{ slug, role: 'no-such-role' }] },
      { email: freshAddress(), organizations: [{ slug }] },
      { email: freshAddress(), organizations: [{ slug, role: 'member', extra: 1 }] },
      { email: freshAddress(), organizations: { slug, role: 'member' } },
      {
        email: freshAddress(),
        organizations: [
          { slug, role: 'member' },
          { slug, role: 'admin' },
        ],
      },
      { email: freshAddress(), project: 'alpha' },
    ];
    const { created, problems } = await imported(wrong);
    expect(created).toBe(0);
    expect(problems.map(({ line, code }) => [line, code])).toEqual([
      [1, 'unknown_organization'],
      [2, 'unknown_role'],
      ...[3, 4, 5, 6, 7].map((line) => [line, 'invalid_field']),
    ]);
    const corrected = { email, organizations: [{ slug, role: 'member' }] };
    expect(await imported([corrected])).toMatchObject({ created: 1 });
  });

  it('holds to the limits on members, memberships and owned organizations', async () => {
    const full = await organization();
    const member = (): object => ({
      email: freshAddress(),
      organizations: [{ slug: full.slug, role: 'member' }],
    });
    const { created, problems } = await imported([member(), member(), member(), member(), member()]);
    expect(created).toBe(3);
    expect(problems).toMatchObject([4, 5].map((line) => ({ line, code: 'limit_reached' })));
    const many = await Promise.all([organization(), organization(), organization(), organization()]);
    const inAll = (role: string, count: number): object => ({
      email: freshAddress(),
      organizations: many.slice(0, count).map(({ slug }) => ({ slug, role })),
    });
    const limited = await imported([inAll('member', 4), inAll('owner', 3), inAll('owner', 2)]);
    expect(limited.created).toBe(1);
    expect(limited.problems.map(({ line, message }) => [line, message])).toEqual([
      [1, 'limits.memberships_per_account is reached.'],
      [2, 'limits.organizations_per_account is reached.'],
    ]);
  });

  it('locks at most 50 organizations in one transaction', async () => {
    const slugs: string[] = [];
    for (let made = 0; made < 60; made += 1) {
      const id = randomBytes(8).toString('hex');
      slugs.push(`import-${id}`);
    }
    await environment.database.query(
      `WITH made AS (
         INSERT INTO organizations (id, slug, name) SELECT gen_random_uuid(), slug, slug FROM unnest($1::text[]) AS slug
         RETURNING id
       )
       INSERT INTO roles (org_id, name, permissions, builtin) SELECT id, 'member', '{}', true FROM made`,
      [slugs],
    );
    let report: ImportReport | null = null;
    const lines = slugs.map((slug) => ({ email: freshAddress(), organizations: [{ slug, role: 'member' }] }));
    const statements = await service.statementsOf(async () => {
      report = await imported(lines);
    });
    expect(report).toMatchObject({ created: 60 });
    expect(statements.filter((sql) => sql.includes('organizations WHERE slug = ANY'))).toHaveLength(2);
  });
});
