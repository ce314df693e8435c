import { Injectable } from '@nestjs/common';
import type { RunRights, TenantId } from '../../../http/index.js';
import { Database } from '../../../platform/database/index.js';
import { covers } from '../../../rbac/index.js';
import { Tenancy } from '../../../tenancy/index.js';
import type { RightsHolder } from '../../../tenancy/index.js';
import { ALL_PERMISSIONS, MAX_TOKEN_PERMISSIONS_CHARACTERS } from '../model/run.js';
import type { ActingRun } from '../model/run.js';
import { runActorOf } from '../model/run-actor.js';
import { RunRepository } from '../model/run.repository.js';

const TRIGGERING = 'jobs:jobs:trigger';

/** How many handlers may have triggered one another before a run that acts as its caller. */
const MAX_ANCESTORS = 32;

/** What the token of an attempt allows, or why the handler must not be called. */
export type Granted = { readonly rights: RunRights } | { readonly refusal: string };

/** A run as its attempt begins, or goes on. */
interface RightsRequest extends ActingRun {
  readonly tenantId: TenantId;
  readonly jobId: string;
}

/** As whom the handler of an attempt acts, and what it may do. */
@Injectable()
export class AttemptRights {
  constructor(
    private readonly database: Database,
    private readonly runs: RunRepository,
    private readonly tenancy: Tenancy,
  ) {}

  /** What the run's actor holds now, if the run acts as its caller; otherwise what its job declares. */
  async of(run: RightsRequest): Promise<Granted> {
    if (!run.actsAsCaller) return { rights: ofService(run) };
    const granted = await this.ofCaller(run.tenantId, run);
    if ('refusal' in granted) return granted;
    const { permissions, userId } = granted.rights;
    const mayTrigger =
      covers(permissions, TRIGGERING) &&
      (userId === null || (await this.runs.isOpenJob(this.database.reader, run.tenantId, run.jobId)));
    if (!mayTrigger) return { refusal: 'whoever set it going may not trigger this job any more' };
    if (permissions.join('').length > MAX_TOKEN_PERMISSIONS_CHARACTERS)
      return {
        refusal:
          `the permissions of whoever set it going have more than ${MAX_TOKEN_PERMISSIONS_CHARACTERS} characters ` +
          'together, which a token cannot carry: use * in those of the role or key',
      };
    return granted;
  }

  /** What the run's actor holds. Follows runs that were triggered by one another to the first that says so. */
  private async ofCaller(tenantId: TenantId, run: ActingRun): Promise<Granted> {
    let acting = run;
    for (let ancestors = 0; ancestors <= MAX_ANCESTORS; ancestors += 1) {
      if (!acting.actsAsCaller) return { rights: ofService(acting) };
      const [type, id] = splitOnce(runActorOf(acting.trigger));
      if (isHolderType(type)) {
        const rights = await this.tenancy.rightsOf(tenantId, { type, id });
        return rights === null ? { refusal: GONE[type] } : { rights };
      }
      if (type !== 'run') return { refusal: 'nobody triggered it, and only who does has permissions' };
      const parent = await this.runs.findActing(this.database.reader, tenantId, id);
      if (parent === null) return { refusal: 'the run whose handler triggered it was deleted' };
      acting = parent;
    }
    return { refusal: `more than ${MAX_ANCESTORS} handlers have triggered one another` };
  }
}

/** Without ids: whoever may read a run need not know who set it going. */
const GONE: Readonly<Record<RightsHolder['type'], string>> = {
  user: 'the user who set it going is gone, disabled, or may not act here any more',
  key: 'the key that set it going was revoked or has expired',
  operator: 'the operator who set it going is none any more',
};

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
