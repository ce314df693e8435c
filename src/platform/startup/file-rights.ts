/** Read, write, and search of a folder, for the owner. */
const OWNERS_RIGHTS = 0o700;

/**
 * Lets the owner keep every right to what this process and its children make, whatever mask the shell has. With a mask such
 * as 0777, a file with a secret would be written and never be read again.
 */
export function keepOwnersRights(): void {
  const mask = process.umask(0o077);
  process.umask(mask & ~OWNERS_RIGHTS);
}
