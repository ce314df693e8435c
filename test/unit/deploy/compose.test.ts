import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { loadConfig } from '../../../src/platform/config/index.js';

interface ComposeFile {
  readonly services: Readonly<Record<string, { readonly environment?: Readonly<Record<string, string>> }>>;
}

const file = parse(readFileSync(new URL('../../../docker-compose.yml', import.meta.url), 'utf8'), {
  merge: true,
}) as ComposeFile;
const ours = Object.entries(file.services).filter(([, { environment }]) => environment?.SERVICE_ROLE);

/** What .env beside the file holds; any text does where a password stands. */
const SECRETS: Readonly<Record<string, string>> = {
  SERVICE_IDENTITY__DATA_KEY: Buffer.alloc(32, 7).toString('base64'),
  POSTGRES_PASSWORD: 'of-the-account',
  POSTGRES_ADMIN_PASSWORD: 'of-the-superuser',
  REDIS_PASSWORD: 'redis',
};

function filledIn(value: string): string {
  return value.replace(/\$\{(\w+):\?[^}]*\}/g, (_, name: string) => SECRETS[name] ?? '');
}

describe('docker-compose.yml', () => {
  it('gives the program an account of its own, which is not the superuser of PostgreSQL', () => {
    const superuser = file.services.postgres?.environment?.POSTGRES_USER;
    expect(superuser).toBe('postgres');
    for (const [, { environment }] of ours) {
      const { username, pathname } = new URL(
        (environment?.SERVICE_DATABASE__URL ?? '').replace(/\$\{[^}]*\}/, 'password'),
      );
      expect([username, pathname]).toEqual(['service', '/service']);
    }
    const script = readFileSync(
      new URL('../../../deploy/postgres/create-account.sh', import.meta.url),
      'utf8',
    );
    expect(script).toContain('CREATE ROLE service LOGIN');
    expect(script).not.toMatch(/SUPERUSER|CREATEROLE/);
  });

  it('runs each role once', () => {
    expect(ours.map(([name, { environment }]) => [name, environment?.SERVICE_ROLE])).toEqual(
      ['api', 'worker', 'scheduler'].map((role) => [role, role]),
    );
  });

  it.each(ours)(
    'gives %s variables that are settings of the program, each with a value that it takes',
    (_, service) => {
      const env = Object.fromEntries(
        Object.entries(service.environment ?? {}).map(([name, value]) => [name, filledIn(value)]),
      );
      expect(() => loadConfig({ env, cwd: '/nowhere' })).not.toThrow();
      expect(() => loadConfig({ env: { ...env, SERVICE_JOBS__WORKERS: '4' }, cwd: '/nowhere' })).toThrow(
        /jobs\.workers/,
      );
    },
  );
});
