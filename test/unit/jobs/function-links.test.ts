import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkOutOf, linksIn } from '../../../src/jobs/invoker/function-host/confinement/function-links.js';
import { FunctionFolder } from '../../../src/jobs/invoker/function-host/process/function-folder.js';

describe('links in the functions folder', () => {
  let home: string;
  let functions: string;
  let folder: FunctionFolder;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'function-links-'));
    functions = join(home, 'functions');
    await mkdir(join(functions, 'lib'), { recursive: true });
    await writeFile(join(home, 'secret.txt'), 'secret');
    await writeFile(join(functions, 'report.mjs'), 'export default () => new Response();');
    folder = new FunctionFolder(functions);
  });

  afterEach(async () => {
    await rm(home, { recursive: true });
  });

  it.each([
    ['beside the functions', 'data.txt', '../secret.txt'],
    ['in a subfolder', 'lib/data.txt', '../../secret.txt'],
    ['to a folder', 'lib/all', '/'],
    ['over another link', 'lib/data.txt', '../again.txt'],
  ])('are refused at each call if they lead out of it: %s', async (_, link, target) => {
    expect(await folder.find('report')).toMatchObject({ file: join(functions, 'report.mjs') });
    await symlink('../secret.txt', join(functions, 'again.txt'));
    await symlink(target, join(functions, link));
    await expect(folder.find('report')).rejects.toThrow('leads out of the functions folder');
  });

  it('are followed within it, as mounted configuration has them', async () => {
    await mkdir(join(functions, '..2026'));
    await writeFile(join(functions, '..2026', 'mounted.mjs'), 'export default () => new Response();');
    await symlink('..2026', join(functions, '..data'));
    await symlink('..data/mounted.mjs', join(functions, 'mounted.mjs'));
    await symlink('nowhere', join(functions, 'broken'));
    expect(await folder.find('mounted')).toMatchObject({ file: join(functions, 'mounted.mjs') });
  });

  it('are found in packages too, when a process starts', async () => {
    await mkdir(join(functions, 'node_modules', 'package'), { recursive: true });
    const link = join(functions, 'node_modules', 'package', 'data.txt');
    await symlink(join(home, 'secret.txt'), link);
    expect(await linkOutOf(functions, await linksIn(functions))).toBe(link);
  });
});
