import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));

/** Copies the repository as a clone has it: what git tracks or is about to, and nothing that it ignores. */
export function copyRepository(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: REPOSITORY,
    encoding: 'utf8',
  });
  const present = files.split('\0').filter((file) => file !== '' && existsSync(join(REPOSITORY, file)));
  execFileSync('xargs', ['-0', 'cp', '--parents', '-t', folder], {
    cwd: REPOSITORY,
    input: present.join('\0'),
  });
}
