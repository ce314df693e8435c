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

  it('has links to the same places within it', async () => {
    if (!IS_ROOT) return;
    await mkdir(join(functions, 'mounted'));
    await writeFile(join(functions, 'mounted', 'text'), 'hello');
    await symlink('mounted', join(functions, 'one'));
    await symlink(join(functions, 'mounted'), join(functions, 'two'));
    await symlink('nowhere', join(functions, 'broken'));
    await symlink(functions, join(functions, 'all'));
    const copy = await copyForGroup(functions, copies, GID);
    for (const name of ['one', 'two']) {
      expect(await readFile(join(copy, name, 'text'), 'utf8')).toBe('hello');
      expect(await realpath(join(copy, name))).toBe(join(copy, 'mounted'));
    }
    expect(await realpath(join(copy, 'all'))).toBe(copy);
    expect((await readdir(copy)).sort()).toEqual(['all', 'mounted', 'one', 'two']);
  });

  it('is refused if a link leads out of the folder, and leaves nothing behind', async () => {
    await mkdir(join(home, 'functions-of-others'));
    for (const target of [home, '/', '..', '../functions-of-others']) {
      await symlink(target, join(functions, 'link'));
      await expect(copyForGroup(functions, copies, GID)).rejects.toThrow('leads out of the functions folder');
      expect(await readdir(copies)).toEqual([]);
      await rm(join(functions, 'link'));
    }
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
