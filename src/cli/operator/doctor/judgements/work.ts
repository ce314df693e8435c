import { counted, duration, problem, those, warning } from '../finding.js';
import type { Verdict } from '../finding.js';

/** Who is there to do the work of the deployment. */
export interface CrewFacts {
  /** Instances that are alive. */
  readonly instances: readonly { readonly roles: readonly string[]; readonly version: string }[];
  readonly workers: number;
  readonly schedulerTicks: boolean;
  /** Of this command. */
  readonly version: string;
}

export function judgeInstances({ instances, workers, schedulerTicks, version }: CrewFacts): Verdict {
  if (instances.length === 0)
    return {
      findings: [
        problem('no_instance', 'no instance is running', 'Start the program, and look at its log if it ends'),
      ],
      summary: 'none',
    };
  const versions = [...new Set([...instances.map((instance) => instance.version), version])].sort();
  const findings = those(
    !instances.some(({ roles }) => roles.includes('api')) &&
      problem('no_api', 'no instance has the role api', 'Start one with SERVICE_ROLE=api'),
    workers === 0 &&
      problem(
        'no_worker',
        'no worker is alive: runs are accepted and wait, and no mail is sent',
        'Start an instance with SERVICE_ROLE=worker, or restart the one that hangs',
      ),
    !schedulerTicks &&
      problem(
        'no_scheduler',
        'no scheduler ticks: schedules, retries and the runs of dead workers wait',
        'Start an instance with SERVICE_ROLE=scheduler, or restart the one that hangs',
      ),
    versions.length > 1 &&
      warning(
        'versions_differ',
        `instances and this command are of different releases: ${versions.join(', ')}`,
        'Finish the upgrade: run one release on every instance',
      ),
  );
  return { findings, summary: `${counted(instances.length, 'instance')} of ${versions.join(', ')}` };
}

/** What waits, and what should be gone. */
export interface QueueFacts {
  readonly tenants: number;
  readonly oldestWaitMs: number | null;
  /** Whether there are ended runs well past `jobs.retention_days`. */
  readonly keepsExpiredRuns: boolean;
}

const OLD_WAIT_MS = 600_000;

export function judgeQueue({ tenants, oldestWaitMs, keepsExpiredRuns }: QueueFacts): Verdict {
  const findings = those(
    (oldestWaitMs ?? 0) > OLD_WAIT_MS &&
      warning(
        'queue_old',
        `the run that has been due longest has waited for ${duration((oldestWaitMs ?? 0) / 1000)}`,
        'Add workers, or look for a paused job or a tenant at its limit: GET /admin/v1/queue lists what waits',
      ),
    keepsExpiredRuns &&
      problem(
        'retention_behind',
        'ended runs well past jobs.retention_days are still there',
        'See the log of the schedulers for "retention", which deletes them every hour',
      ),
  );
  const waiting = oldestWaitMs === null ? 'nothing is due' : `runs of ${counted(tenants, 'tenant')} wait`;
  return { findings, summary: waiting };
}
