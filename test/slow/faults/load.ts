import { setTimeout as wait } from 'node:timers/promises';
import type { Client, RunBody } from '../../support/client.js';
import type { Backlog } from './backlog.js';
import type { Deployment } from './deployment.js';
import type { AcceptedTrigger, CancelFact, RefusalFact } from './history.js';
import type { Manner } from './recording-handlers.js';
import type { SeededRandom } from './seeded-random.js';

const INTERVAL_MS = 80;
const RETRY_MS = 100;
/** An API that is killed has not answered; one that hangs must not either. */
const ANSWER_WITHIN_MS = 20_000;

/** So long the handlers of the jobs take, and so they answer. */
export const MANNERS: Readonly<Record<string, Manner>> = {
  quick: () => ({ status: 200, afterMs: 15 }),
  slow: () => ({ status: 200, afterMs: 700 }),
  flaky: (nth) => ({ status: nth < 3 ? 503 : 200, afterMs: 30 }),
  fatal: () => ({ status: 422, afterMs: 15 }),
  broken: () => ({ status: 500, afterMs: 15 }),
  unwanted: () => ({ status: 200, afterMs: 3000 }),
  scheduled: () => ({ status: 200, afterMs: 50 }),
};

const BACKOFF = { type: 'exponential', initial_ms: 50, max_ms: 400, multiplier: 2 };

/** The jobs of each tenant that are triggered by hand. */
export const JOBS: Readonly<Record<string, Record<string, unknown>>> = {
  quick: {},
  slow: { retries: 0 },
  flaky: { retries: 2, retry_backoff: BACKOFF },
  fatal: { retries: 3 },
  broken: { retries: 1, retry_backoff: BACKOFF },
  unwanted: { retries: 0 },
};

/** How often each, of so many. */
const SHARES = ['quick', 'quick', 'quick', 'slow', 'slow', 'flaky', 'fatal', 'broken', 'unwanted', 'quick'];

interface RunAnswer {
  readonly status: number;
  readonly body: RunBody;
  readonly requestId: string;
  /** Who answered. */
  readonly process: string;
}

/** Triggers runs steadily, whatever happens; each is asked for under one key until it is accepted. */
export class Load {
  readonly accepted: AcceptedTrigger[] = [];
  readonly cancels: CancelFact[] = [];
  readonly refusals: RefusalFact[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private isOver = false;
  private loop: Promise<void> = Promise.resolve();

  constructor(
    private readonly deployment: Deployment,
    private readonly tenants: readonly Client[],
    private readonly backlog: Backlog,
    private readonly random: SeededRandom,
  ) {}

  begin(): void {
    this.loop = this.run();
  }

  /** No more of it. Resolves when all that was asked for is accepted. */
  async end(): Promise<void> {
    this.isOver = true;
    await this.loop;
    await Promise.all(this.underWay);
  }

  private async run(): Promise<void> {
    for (let index = 1; !this.isOver; index += 1) {
      await wait(INTERVAL_MS);
      if (this.backlog.isLong) continue;
      const [tenant, job] = [this.random.oneOf(this.tenants), this.random.oneOf(SHARES)];
      const delayMs = this.random.next() < 0.1 ? Math.round(this.random.between(100, 3000)) : 0;
      const asking = this.ask(tenant, job, `key-${index}`, delayMs).finally(() => {
        this.underWay.delete(asking);
      });
      this.underWay.add(asking);
    }
  }

  private async ask(tenant: Client, job: string, key: string, delayMs: number): Promise<void> {
    const body = { payload: { key }, ...(delayMs > 0 ? { delay_ms: delayMs } : {}) };
    const runIds: string[] = [];
    // Now and then once more than needed: the same run is the answer.
    const wanted = this.random.next() < 0.1 ? 2 : 1;
    const fields = { 'idempotency-key': key };
    while (runIds.length < wanted) {
      const answered = await this.post(tenant.with(fields), `/jobs/v1/jobs/${job}/trigger`, body);
      if (answered?.status === 202) runIds.push(answered.body.id);
      else {
        if (answered !== null) this.refusals.push(refusalOf(answered));
        await wait(RETRY_MS);
      }
    }
    this.accepted.push({ key, runIds });
    const [runId] = runIds;
    if (job === 'unwanted' && runId !== undefined) await this.cancel(tenant, runId);
  }

  /** Once: whether a request without an answer had its effect, nobody knows. */
  private async cancel(tenant: Client, runId: string): Promise<void> {
    await wait(this.random.between(0, 1500));
    const answered = await this.post(tenant, `/jobs/v1/runs/${runId}/cancel`, {});
    this.cancels.push({ runId, process: answered?.process ?? 'none', answer: answered?.status ?? null });
  }

  /** Null when there was no answer. */
  private async post(tenant: Client, path: string, body: unknown): Promise<RunAnswer | null> {
    const { api } = this.deployment;
    if (api === null) return null;
    const late = wait(ANSWER_WITHIN_MS, null, { ref: false });
    const asked = tenant.at(api.process.url ?? '').post<RunBody>(path, body);
    const answer = await Promise.race([asked.catch(() => null), late]);
    if (answer === null) return null;
    const requestId = answer.headers.get('x-request-id') ?? '';
    return { status: answer.status, body: answer.body, requestId, process: api.name };
  }
}

function refusalOf({ status, body, requestId }: RunAnswer): RefusalFact {
  return { status, code: body.error?.code ?? 'none', requestId };
}
