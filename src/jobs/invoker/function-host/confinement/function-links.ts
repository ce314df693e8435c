import { readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

/**
 * The first of these links that leads out of the folder; null if none does. Mounted configuration consists of links within
 * its folder. A link that leads nowhere hides nothing.
 */
export async function linkOutOf(folder: string, links: readonly string[]): Promise<string | null> {
  if (links.length === 0) return null;
  const root = await realpath(folder);
  for (const link of links) {
    const target = await targetOf(link);
    if (target !== null && target !== root && !target.startsWith(`${root}${sep}`)) return link;
  }
  return null;
}

/** All links in the folder and below it, those of packages included. */
export async function linksIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isSymbolicLink())
    .map(({ parentPath, name }) => join(parentPath, name));
}

/** A target that cannot be looked up, for example in a folder of another user, counts as one elsewhere. */
async function targetOf(link: string): Promise<string | null> {
  try {
    return await realpath(link);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ELOOP' ? null : '';
  }
}
