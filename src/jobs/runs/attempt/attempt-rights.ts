import { Injectable } from '@nestjs/common';
import type { RunRights, TenantId } from '../../../http/index.js';
import { Database } from '../../../platform/database/index.js';
import { covers } from '../../../rbac/index.js';
import { Tenancy } from '../../../tenancy/index.js';
import type { RightsHolder } from '../../../tenancy/index.js';
import { ALL_PERMISSIONS, MAX_TOKEN_PERMISSIONS_CHARACTERS } from '../model/run.js';
import type { ActingRun, ClaimedRun } from '../model/run.js';
import { runActorOf } from '../model/run-actor.js';
import { RunRepository } from '../model/run.repository.js';

const TRIGGERING = 'jobs:jobs:trigger';

/** How many handlers may have triggered one another before a run that acts as its caller. */
const MAX_ANCESTORS = 32;

/** What the token of an attempt allows, or why the handler must not be called. */
export type Granted = { readonly rights: RunRights } | { readonly refusal: string };

/** As whom the handler of an attempt acts, and what it may do. */
@Injectable()
export class AttemptRights {
  constructor(
    private readonly database: Database,
    private readonly runs: RunRepository,
    private readonly tenancy: Tenancy,
  ) {}

  /** What the run's actor holds now, if the run acts as its caller; otherwise what its job declares. */
  async of(run: ClaimedRun): Promise<Granted> {
    if (!run.actsAsCaller) return { rights: ofService(run) };
    const actor = runActorOf(run.trigger);
    const rights = await this.ofCaller(run.tenantId, run);
    if (rights === null)
      return {
        refusal: `${actor} is gone, disabled, or holds nothing: only who triggers a job on demand has permissions`,
      };
    const mayTrigger =
      covers(rights.permissions, TRIGGERING) &&
      (rights.userId === null || (await this.runs.isOpenJob(this.database.reader, run.tenantId, run.jobId)));
    if (!mayTrigger) return { refusal: `${actor} may no longer trigger this job` };
    if (rights.permissions.join('').length > MAX_TOKEN_PERMISSIONS_CHARACTERS)
      return {
        refusal:
          `the permissions of ${actor} have more than ${MAX_TOKEN_PERMISSIONS_CHARACTERS} characters together, ` +
          'which a token cannot carry: give its role or key fewer, with * in them',
      };
    return { rights };
  }

  /** What the run's actor holds. Follows runs that were triggered by one another to the first that says so. */
  private async ofCaller(tenantId: TenantId, run: ActingRun): Promise<RunRights | null> {
    let acting: ActingRun | null = run;
    for (let ancestors = 0; acting !== null && ancestors <= MAX_ANCESTORS; ancestors += 1) {
      if (!acting.actsAsCaller) return ofService(acting);
      const [type, id] = splitOnce(runActorOf(acting.trigger));
      if (isHolderType(type)) return await this.tenancy.rightsOf(tenantId, { type, id });
      acting = type === 'run' ? await this.runs.findActing(this.database.reader, tenantId, id) : null;
    }
    return null;
  }
}

function ofService({ permissions }: ActingRun): RunRights {
  return { permissions: permissions ?? ALL_PERMISSIONS, userId: null };
}

function isHolderType(type: string): type is RightsHolder['type'] {
  return type === 'user' || type === 'key' || type === 'operator';
}

/** `user:<id>` as its two parts. */
function splitOnce(actor: string): [string, string] {
  const colon = actor.indexOf(':');
  return [actor.slice(0, colon), actor.slice(colon + 1)];
}
