import type { RunRights, TenantId } from '../../http/index.js';
import type { HttpClient } from '../../platform/outbound/index.js';

/** One call to a handler. */
export interface HandlerCall {
  /** The run's id; stable over its attempts. */
  readonly id: string;
  readonly tenantId: TenantId;
  readonly jobId: string;
  readonly handler: string;
  readonly attempt: number;
  readonly timeoutMs: number;
  /** Who set the run going, in visible ASCII. */
  readonly actor: string;
  /** What its token allows. */
  readonly rights: RunRights;
  /** `headers`: those of a webhook call that the handler gets. */
  readonly trigger: { readonly type: string; readonly headers?: Readonly<Record<string, string>> };
  /** `statuses`: those of answers that are retried; all but 2xx and 422 where they are absent. */
  readonly retryBackoff: { readonly statuses?: readonly number[] };
  /** JSON text, sent as it is. */
  readonly payload: string;
  /** The instant of the schedule that the run stands for. */
  readonly scheduledFor: Date | null;
  /** With the `tracestate`, as `keptTrace` writes both. */
  readonly traceParent: string | null;
}

/** A call that is ready to be sent. */
export interface PreparedCall {
  readonly client: HttpClient;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A function of the local folder: it prints, and its lines come back another way than its answer. */
  readonly isFunction: boolean;
  /** Whether the handler can report the end of the attempt after its answer. */
  readonly mayDefer: boolean;
}
