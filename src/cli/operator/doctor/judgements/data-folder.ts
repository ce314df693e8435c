import type { DataFolder } from '../../../../platform/embedded/index.js';
import { problem, those, warning } from '../finding.js';
import type { Verdict } from '../finding.js';

const LEAST_FREE_BYTES = 1024 ** 3;

export function judgeDataFolder({ path, open, missing, closed, freeBytes }: DataFolder): Verdict {
  const findings = those(
    missing.length > 0 &&
      problem(
        'secrets_missing',
        `secrets that the database was made with are gone: ${missing.join(', ')}`,
        'Restore them from a backup before the next start, which makes new ones that open nothing',
      ),
    closed.length > 0 &&
      problem(
        'secrets_closed',
        `this account may not read ${closed[0]}`,
        'Run servicectl as the account that the program runs as',
      ),
    open.length > 0 &&
      problem(
        'secrets_readable',
        `other accounts of this machine may read ${open[0]}`,
        `chmod -R go= ${path}/secrets`,
      ),
    freeBytes < LEAST_FREE_BYTES &&
      warning(
        'disk_nearly_full',
        `${Math.floor(freeBytes / 1024 ** 2)} MiB are free on the disk of ${path}`,
        'Free some space, or move the folder: PostgreSQL stops when the disk is full',
      ),
  );
  return { findings, summary: path };
}
