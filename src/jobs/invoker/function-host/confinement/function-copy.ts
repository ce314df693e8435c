import { randomUUID } from 'node:crypto';
import {
  chmod,
  chown,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';

const OTHERS_READ = 0o4;
const OTHERS_ENTER = 0o1;

/** Whether every user may read the folder and everything in it that `names` lists. */
export async function isReadableByAll(folder: string): Promise<boolean> {
  for (let above = dirname(folder); ; above = dirname(above)) {
    if (!(await allows(above, OTHERS_ENTER))) return false;
    if (above === dirname(above)) return await isTreeReadable(folder);
  }
}

/** Identified by its inode, because another user can create a folder of the same name after the system has cleaned up. */
export interface FolderOfCopies {
  readonly path: string;
  readonly device: number;
  readonly inode: number;
}

/** A folder that every user may pass through, for copies. */
export async function makeFolderOfCopies(): Promise<FolderOfCopies> {
  const path = await mkdtemp(join(await realpath(tmpdir()), 'service-functions-'));
  try {
    await chmod(path, 0o711);
    const { dev: device, ino: inode } = await lstat(path);
    return { path, device, inode };
  } catch (error) {
    await removeCopy(path).catch(() => undefined);
    throw error;
  }
}

/** Whether it is still the folder that `makeFolderOfCopies` created. */
export async function isStillThere({ path, device, inode }: FolderOfCopies): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  if (found?.isDirectory() !== true || found.dev !== device || found.ino !== inode) return false;
  return found.uid === process.geteuid?.() && (found.mode & 0o777) === 0o711;
}

/**
 * Creates a copy that a group may read, outside folders that the group cannot enter.
 * @param folder its real path
 * @param parent of what `makeFolderOfCopies` made
 * @returns the copy; `removeCopy` takes it away
 */
export async function copyForGroup(folder: string, parent: string, gid: number): Promise<string> {
  const copy = join(parent, randomUUID());
  try {
    await copyTree(folder, copy, { root: folder, gid });
  } catch (error) {
    await removeCopy(copy).catch(() => undefined);
    throw error;
  }
  return copy;
}

export async function removeCopy(copy: string): Promise<void> {
  await rm(copy, { recursive: true, force: true });
}

async function allows(path: string, bits: number): Promise<boolean> {
  const { mode } = await stat(path);
  return (mode & bits) === bits;
}

async function isTreeReadable(folder: string): Promise<boolean> {
  if (!(await allows(folder, OTHERS_READ | OTHERS_ENTER))) return false;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      // Packages are installed together, so checking their folder is enough.
      const isReadable =
        entry.name === 'node_modules'
          ? await allows(path, OTHERS_READ | OTHERS_ENTER)
          : await isTreeReadable(path);
      if (!isReadable) return false;
    } else if (entry.isSymbolicLink()) {
      if (!(await isTargetReadable(path))) return false;
    } else if (entry.isFile() && !(await allows(path, OTHERS_READ))) return false;
  }
  return true;
}

/** A broken link hides nothing. */
async function isTargetReadable(link: string): Promise<boolean> {
  const target = await realpath(link).catch(() => null);
  if (target === null) return true;
  for (let above = dirname(target); above !== dirname(above); above = dirname(above))
    if (!(await allows(above, OTHERS_ENTER))) return false;
  return await allows(target, OTHERS_READ);
}

interface Within {
  readonly root: string;
  readonly gid: number;
}

async function copyTree(from: string, to: string, within: Within): Promise<void> {
  await mkdir(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target, within);
    else if (entry.isSymbolicLink()) await copyLink(source, target, within);
    else if (entry.isFile()) await copyOne(source, target, within.gid);
  }
  await chown(to, 0, within.gid);
  await chmod(to, 0o750);
}

/** A link stays one, to the same place of the copy. One that leads nowhere hides nothing. */
async function copyLink(source: string, target: string, { root }: Within): Promise<void> {
  const real = await realpath(source).catch(() => null);
  if (real === null) return;
  if (real !== root && !real.startsWith(`${root}${sep}`))
    throw new Error(`the link ${source} leads out of the functions folder, and cannot be copied`);
  await symlink(relative(dirname(source), real) || '.', target);
}

async function copyOne(source: string, target: string, gid: number): Promise<void> {
  await copyFile(source, target);
  await chown(target, 0, gid);
  await chmod(target, 0o640);
}
