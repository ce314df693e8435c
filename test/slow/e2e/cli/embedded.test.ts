import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '../../../support/client.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { runCli } from './run-cli.js';

describe('the command line with the embedded database', () => {
  let folder: string;
  let variables: Record<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-cli-'));
    variables = { SERVICE_SERVER__DATA_DIR: join(folder, '.service'), SERVICE_SERVER__PORT: '0' };
  });

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('is refused in a folder without a deployment, and makes no database there', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'service-cli-empty-'));
    const elsewhere = { SERVICE_SERVER__DATA_DIR: join(empty, '.service') };
    try {
      for (const args of [
        ['keys', 'list'],
        ['migrate'],
        ['audit', 'verify'],
        ['users', 'disable', '--database', 'a@b.c'],
      ]) {
        const refused = await runCli(args, elsewhere);
        expect([args, refused.code, refused.stdout]).toEqual([args, 2, '']);
        expect(refused.stderr).toContain(`there is no deployment here: ${join(empty, '.service')}`);
      }
      expect(await readdir(empty)).toEqual([]);
    } finally {
      await rm(empty, { recursive: true, force: true });
    }
  });

  it('works beside the running program, and alone when none runs', async () => {
    const kids = ({ stdout }: { stdout: string }): string[] =>
      (JSON.parse(stdout) as { kid: string }[]).map(({ kid }) => kid);
    const service = await ServiceProcess.start(variables);
    let published: string[];
    try {
      const beside = await runCli(['keys', 'list', '--json'], variables);
      const { body } = await new Client(service.url ?? '').get<{ keys: { kid: string; alg: string }[] }>(
        '/auth/v1/keys',
      );
      published = body.keys.filter(({ alg }) => alg === 'RS256').map(({ kid }) => kid);
      expect([beside.code, kids(beside)]).toEqual([0, published]);
    } finally {
      await service.stop();
    }
    const alone = await runCli(['keys', 'list', '--json'], variables);
    expect([alone.code, kids(alone)]).toEqual([0, published]);
    // It has left nothing running, and the program starts again.
    const again = await ServiceProcess.start(variables);
    expect(await again.stop()).toBe(0);
  });
});
