import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  copyForGroup,
  isStillThere,
  makeFolderOfCopies,
} from '../../../src/jobs/invoker/function-host/confinement/function-copy.js';

const IS_ROOT = process.getuid?.() === 0;
const GID = 61_200;

describe('the copy of a functions folder', () => {
  let home: string;
  let functions: string;
  let copies: string;

  beforeEach(async () => {
    home = await mkdtemp(join(await realpath(tmpdir()), 'function-copy-'));
    [functions, copies] = [join(home, 'functions'), join(home, 'copies')];
    await mkdir(functions);
    await mkdir(copies);
  });
  afterEach(() => rm(home, { recursive: true }));

  it('contains the targets of links that lead outside the folder', async () => {
    if (!IS_ROOT) return;
    await mkdir(join(home, 'mounted'));
    await writeFile(join(home, 'mounted', 'text'), 'hello');
    await symlink('../mounted', join(functions, 'one'));
    await symlink(join(home, 'mounted'), join(functions, 'two'));
    const copy = await copyForGroup(functions, copies, GID);
    for (const name of ['one', 'two']) expect(await readFile(join(copy, name, 'text'), 'utf8')).toBe('hello');
  });

  it('is refused if a link leads to a parent folder, and leaves nothing behind', async () => {
    for (const target of [functions, home, '/']) {
      await symlink(target, join(functions, 'link'));
      await expect(copyForGroup(functions, copies, GID)).rejects.toThrow('which holds the link itself');
      expect(await readdir(copies)).toEqual([]);
      await rm(join(functions, 'link'));
    }
  });

  it('is refused if links lead to each other', async () => {
    await mkdir(join(home, 'other'));
    await symlink('../other', join(functions, 'link'));
    await symlink(functions, join(home, 'other', 'back'));
    await expect(copyForGroup(functions, copies, GID)).rejects.toThrow('which holds the link itself');
    expect(await readdir(copies)).toEqual([]);
  });

  it('is created only in a folder that is identified by more than its name', async () => {
    const folder = await makeFolderOfCopies();
    expect(await isStillThere(folder)).toBe(true);
    await rm(folder.path, { recursive: true });
    expect(await isStillThere(folder)).toBe(false);
    await symlink(home, folder.path);
    expect(await isStillThere(folder)).toBe(false);
    await rm(folder.path);
  });
});
