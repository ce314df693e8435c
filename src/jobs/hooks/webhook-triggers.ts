import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import type { Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { FieldProblems, TenantId } from '../../http/index.js';
import { Tenancy } from '../../tenancy/index.js';
import { Vault } from '../../vault/index.js';
import type { JobTriggers, DeclaredTrigger, TriggerKind, WebhookTriggerDto } from '../triggers/index.js';
import { addForwardingProblems } from './forwarded-headers.js';
import { HookRepository } from './hook.repository.js';
import type { NewHook } from './hook.repository.js';
import { addVerificationProblems, secretPathOf, verificationOf } from './webhook-verification.js';

type DeclaredWebhook = DeclaredTrigger<WebhookTriggerDto>;

const PATH_PREFIX = '/hooks/';
const DEFAULT_METHOD = 'POST';

/** Registers webhook triggers: each one creates a hook with its name. */
@Injectable()
export class WebhookTriggers implements TriggerKind<WebhookTriggerDto> {
  readonly type = 'webhook';

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly hooks: HookRepository,
    private readonly vault: Vault,
    private readonly tenancy: Tenancy,
  ) {}

  async findProblems(
    _tx: Tx,
    _tenantId: TenantId,
    triggers: readonly DeclaredTrigger<Partial<WebhookTriggerDto> & { type: 'webhook' }>[],
    problems: FieldProblems,
  ): Promise<void> {
    const hasFallback = this.config.jobs.webhookSecret !== null;
    for (const { path, definition } of triggers) {
      if (definition.verify !== undefined)
        addVerificationProblems(problems, definition.verify, `${path}.verify`, hasFallback);
      addForwardingProblems(problems, definition, path);
    }
    addRepeatedPaths(problems, triggers);
    await Promise.resolve();
  }

  /** @throws hook_path_taken by another job, of this tenant or of another */
  async apply(tx: Tx, tenantId: TenantId, jobs: readonly JobTriggers<WebhookTriggerDto>[]): Promise<void> {
    // Delete all first: a name may move from one of these jobs to another.
    const former = await this.hooks.deleteOfJobs(
      tx,
      tenantId,
      jobs.map(({ jobId }) => jobId),
    );
    const triggers = jobs.flatMap((job) => job.triggers);
    if (triggers.length === 0) return;
    // What was refused stays known while the job keeps the hook, through a pause, too.
    const byName = new Map(former.map((hook) => [hook.name, hook]));
    const hooks = triggers.map((trigger) => {
      const hook = hookOf(trigger);
      const same = byName.get(hook.name);
      const isKept = same?.jobId === hook.jobId;
      return {
        ...hook,
        refusedAt: isKept ? same.refusedAt : null,
        refusedCode: isKept ? same.refusedCode : null,
      };
    });
    await this.vault.lockAgainstDeletion(
      tx,
      tenantId,
      hooks.flatMap(({ secretPath }) => secretPath ?? []),
    );
    const inserted = await this.hooks.insertHooks(tx, tenantId, this.tenancy.hookScope(tenantId), hooks);
    const details = triggers
      .filter(({ definition }) => !inserted.has(nameOf(definition)))
      .map(({ path }) => ({ path: `${path}.path`, message: 'is the path of another job' }));
    if (details.length > 0) throw new ServiceError('hook_path_taken', { details });
  }
}

function nameOf({ path }: WebhookTriggerDto): string {
  return path.slice(PATH_PREFIX.length);
}

function hookOf({ jobId, definition }: DeclaredWebhook): Omit<NewHook, 'refusedAt' | 'refusedCode'> {
  return {
    name: nameOf(definition),
    jobId,
    method: definition.method ?? DEFAULT_METHOD,
    verification: verificationOf(definition.verify),
    secretPath: secretPathOf(definition.verify),
    forwardHeaders: (definition.forward_headers ?? []).map((name) => name.toLowerCase()),
  };
}

function addRepeatedPaths(
  problems: FieldProblems,
  triggers: readonly DeclaredTrigger<Partial<WebhookTriggerDto> & { type: 'webhook' }>[],
): void {
  const first = new Map<string, string>();
  for (const { path, definition } of triggers) {
    if (definition.path === undefined) continue;
    const earlier = first.get(definition.path);
    if (earlier === undefined) first.set(definition.path, path);
    else problems.add(`${path}.path`, `is the path of ${earlier} already`);
  }
}
