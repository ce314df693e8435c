import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ClientProject } from '../../support/client-package.js';

const CLIENT = fileURLToPath(new URL('../../../../client', import.meta.url));
const IN_REPOSITORY = fileURLToPath(new URL('../../../../.cache', import.meta.url));

describe('npm pack of a client that was not built', () => {
  const folders: string[] = [];

  /** The client as it is checked out, in a folder of its own. */
  async function unbuiltClient(parent: string): Promise<string> {
    await mkdir(parent, { recursive: true });
    const folder = await mkdtemp(join(parent, 'service-pack-'));
    folders.push(folder);
    const filter = (source: string): boolean => source !== join(CLIENT, 'dist');
    await cp(CLIENT, folder, { recursive: true, filter });
    return folder;
  }

  afterAll(async () => {
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });

  it('builds the client, and an empty project can install and load the package', async () => {
    const project = await ClientProject.create(await unbuiltClient(IN_REPOSITORY));
    await project.write(
      'load.mjs',
      `import { createClient } from '@service/client';
       import { createVerifier } from '@service/client/verify';
       const { jobs } = createClient({ url: 'http://127.0.0.1' });
       console.log(typeof jobs.trigger, typeof createVerifier);`,
    );
    expect(await project.node('load.mjs')).toBe('function function\n');
    await project.remove();
  });

  it('fails with the reason where the dependencies are not installed', async () => {
    const cwd = await unbuiltClient(tmpdir());
    const npm = process.env.npm_execpath ?? '';
    await expect(promisify(execFile)(process.execPath, [npm, 'pack'], { cwd })).rejects.toMatchObject({
      stderr: expect.stringContaining('Run `npm ci` in the root of the repository first.'),
    });
  });
});
