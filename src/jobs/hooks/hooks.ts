import { Injectable, Inject, Logger } from '@nestjs/common';
import { sha256 } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { RawBody, TenantId } from '../../http/index.js';
import { RunEnqueuer } from '../runs/enqueue/run-enqueuer.js';
import { forwardedHeaders } from './forwarded-headers.js';
import { deliveryIdOf, hookPayload, requireReadableId } from './hook-request.js';
import { DeliveryRepository } from './delivery.repository.js';
import { HookRepository } from './hook.repository.js';
import type { Hook, HookState } from './hook.repository.js';
import { isSigned } from './signatures/index.js';
import type { SignedRequest } from './signatures/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Clock } from '../../platform/lifecycle/index.js';
import { Vault } from '../../vault/index.js';
import { AuthMetrics } from '../../audit/index.js';
import type { ForwardedHeaders } from '../runs/model/run.js';
import { newRunId } from '../runs/model/run-id.js';

/** Checks that a call was signed with the hook's secret. */
@Injectable()
export class HookVerifier {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly metrics: AuthMetrics,
  ) {}

  /** @throws invalid_signature */
  async requireSigned(hook: Hook, request: SignedRequest): Promise<void> {
    // Read for each call, so that a rotated secret takes effect at once.
    const secret = await this.secretOf(hook);
    if (isSigned(request, hook.verification, secret, this.clock.now())) return;
    this.metrics.record('hook_signature_check', 'invalid_signature');
    throw new ServiceError('invalid_signature');
  }

  private async secretOf({ tenantId, secretPath }: Hook): Promise<string | null> {
    if (secretPath === null) return this.config.jobs.webhookSecret;
    return await this.vault.read(this.database.reader, tenantId, secretPath);
  }
}

/** A call of a hook as received. */
export interface HookCall {
  /** Where the hook's name is unique. */
  readonly scope: string;
  readonly name: string;
  readonly method: string;
  readonly headers: SignedRequest['headers'];
  /** What follows `?`. */
  readonly query: string;
  readonly body: RawBody;
  readonly traceParent: string | null;
}

/** What a call gives its run. */
interface Delivery {
  /** JSON text. */
  readonly payload: string;
  readonly headers: ForwardedHeaders | null;
  /** Null where each call is a delivery of its own. */
  readonly deliveryId: string | null;
  readonly traceParent: string | null;
}

/**
 * Receives the calls of hooks. A call's content is not read before its signature has been verified. A refusal is noted,
 * so that who set up the hook sees what its provider was told.
 */
@Injectable()
export class Hooks {
  private readonly logger = new Logger(Hooks.name);
  private isNoting = false;

  constructor(
    private readonly database: Database,
    private readonly hooks: HookRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly verifier: HookVerifier,
    private readonly enqueuer: RunEnqueuer,
  ) {}

  /**
   * Returns the id of the run that the call triggered, or for a redelivery that of the first delivery. Once this
   * returns, the run is committed and is guaranteed to end.
   * @throws hook_not_found, method_not_allowed, bad_request, invalid_signature, invalid_json, job_paused, limit_reached
   */
  async receive(call: HookCall): Promise<string> {
    const hook = await this.hooks.find(this.database.reader, call.scope, call.name);
    if (hook === null) throw new ServiceError('hook_not_found');
    try {
      return await this.take(hook, call);
    } catch (error) {
      if (error instanceof ServiceError) await this.noteRefusal(hook, error.code);
      throw error;
    }
  }

  /** Each hook of a job, with its last refused call. @throws job_not_found */
  async statesOfJob(tenantId: TenantId, jobId: string): Promise<HookState[]> {
    const found = await this.hooks.statesOfJob(this.database.reader, tenantId, jobId);
    if (found === null) throw new ServiceError('job_not_found');
    return found;
  }

  /**
   * Anybody may call a hook. So one refusal at a time is noted, which waits with one connection at most, and the caller
   * gets the refusal whether it can be noted or not.
   */
  private async noteRefusal(hook: Hook, code: string): Promise<void> {
    if (this.isNoting || hook.isRefusalNoted) return;
    this.isNoting = true;
    try {
      await this.hooks.noteRefusal(this.database.autoCommit, hook, code);
    } catch (error) {
      this.logger.warn(
        error,
        `the refusal of a call of ${hook.name} was not noted; the next one tries again`,
      );
    } finally {
      this.isNoting = false;
    }
  }

  private async take(hook: Hook, call: HookCall): Promise<string> {
    if (hook.method !== call.method) {
      throw new ServiceError('method_not_allowed', {
        hint: `Use ${hook.method}.`,
        headers: { Allow: hook.method },
      });
    }
    const request = { headers: call.headers, body: call.body.bytes };
    requireReadableId(request, hook.verification);
    await this.verifier.requireSigned(hook, request);
    const payload = hookPayload(call.body, call.query);
    const deliveryId = deliveryIdOf(request, hook.verification, payload);
    const headers = forwardedHeaders(call.headers, hook.forwardHeaders);
    const delivery = { payload, headers, deliveryId, traceParent: call.traceParent };
    return await this.database.transaction((tx) => this.accept(tx, hook, delivery));
  }

  private async accept(tx: Tx, hook: Hook, delivery: Delivery): Promise<string> {
    const { payload, headers, deliveryId, traceParent } = delivery;
    const id = newRunId();
    const { tenantId, jobId, name, method } = hook;
    const recorded = deliveryId === null ? null : { hook: name, idHash: sha256(deliveryId), runId: id };
    if (recorded !== null) {
      const earlier = await this.deliveries.recordDelivery(tx, tenantId, recorded);
      if (earlier !== null) return earlier;
    }
    const run = await this.enqueuer.accept(tx, {
      id,
      tenantId,
      jobId,
      payload,
      trigger: { type: 'webhook', path: `/hooks/${name}`, method, ...(headers === null ? {} : { headers }) },
      priority: null,
      delayMs: 0,
      runAt: null,
      scheduledFor: null,
      retryOf: null,
      traceParent,
    });
    if (run !== null) {
      if (recorded !== null && run.id !== id)
        await this.deliveries.pointTo(tx, tenantId, { ...recorded, runId: run.id });
      return run.id;
    }
    // The run was left out: its job is paused, or was deleted a moment ago together with its hooks.
    const isThere = (await this.hooks.find(tx, hook.scope, name)) !== null;
    throw new ServiceError(isThere ? 'job_paused' : 'hook_not_found');
  }
}
