import { rotationDueAt, transitionDueAt } from '../../../../identity/index.js';
import type { SigningKeyEntity } from '../../../../identity/index.js';
import { counted, duration, problem, those, warning } from '../finding.js';
import type { Verdict } from '../finding.js';

/** Instances change the states of keys within 30 s of their time. */
const LATE_MS = 600_000;

/** A sample of the values of one sealed column. */
export interface SealedSample {
  /** `table.column` */
  readonly column: string;
  readonly opened: number;
  /** Sealed under a key that is not configured. */
  readonly underUnknownKey: number;
  /** Under a configured key, and not to be opened: altered, or moved from another row. */
  readonly altered: number;
  /** Under a key of `identity.data_key_previous`. */
  readonly toRewrite: number;
}

export function judgeSealedValues(samples: readonly SealedSample[]): Verdict {
  const columns = (count: (sample: SealedSample) => number): string =>
    samples
      .filter((sample) => count(sample) > 0)
      .map(({ column }) => column)
      .join(', ');
  const opened = samples.reduce((sum, sample) => sum + sample.opened, 0);
  const unknown = columns((sample) => sample.underUnknownKey);
  const altered = columns((sample) => sample.altered);
  const toRewrite = columns((sample) => sample.toRewrite);
  const findings = those(
    unknown !== '' &&
      problem(
        'data_key_wrong',
        `values are sealed under a data key that is not configured, in ${unknown}`,
        opened === 0
          ? 'Set identity.data_key to the key that the database was first used with'
          : 'Name the former key in identity.data_key_previous, and run servicectl rekey',
      ),
    altered !== '' &&
      problem(
        'sealed_value_altered',
        `values in ${altered} were altered or moved since they were sealed`,
        'Restore these rows from a backup; somebody or something wrote to the database beside the program',
      ),
    toRewrite !== '' &&
      warning(
        'rekey_unfinished',
        `values are still under a previous data key, in ${toRewrite}`,
        'Once every instance runs this release with the new key: servicectl rekey',
      ),
  );
  return { findings, summary: `${counted(opened, 'sealed value')} opened` };
}

type JudgedKey = Pick<SigningKeyEntity, 'state' | 'signsAt' | 'activeAt' | 'retiresAt'>;

export function judgeSigningKeys(
  keys: readonly JudgedKey[],
  now: Date,
  plan: { readonly rotationDays: number; readonly leadSecs: number },
): Verdict {
  const due = [transitionDueAt(keys), rotationDueAt(keys, plan)].filter((at) => at !== null);
  const lateMs = Math.max(0, ...due.map((at) => now.getTime() - at.getTime()));
  const findings = those(
    !keys.some(({ state }) => state === 'active') &&
      problem(
        'signing_key_missing',
        'no signing key is active: nobody can sign in',
        'Restart an instance of role api, which makes one',
      ),
    lateMs > LATE_MS &&
      problem(
        'signing_keys_overdue',
        `a signing key should have changed its state ${duration(lateMs / 1000)} ago`,
        'See the log of the instances for "signing keys", and restart one; servicectl keys list shows the keys',
      ),
  );
  return { findings, summary: counted(keys.length, 'signing key') };
}

/** @param unreadable the refs of the projects whose key cannot be read */
export function judgeProjectKeys(projects: number, unreadable: readonly string[]): Verdict {
  const findings = those(
    unreadable.length > 0 &&
      problem(
        'project_key_unreadable',
        `the private key of ${counted(unreadable.length, 'project')} cannot be read: ${unreadable.slice(0, 3).join(', ')}`,
        'Restore the files <ref>.pem in auth.jwt_dir from a backup, readable for the program; see servicectl keys list',
      ),
  );
  return { findings, summary: `the keys of ${counted(projects, 'project')}` };
}
