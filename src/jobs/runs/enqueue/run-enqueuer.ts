import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { afterCommit, Database, GroupedStatement } from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { limitReached } from '../../../platform/limits/index.js';
import type { NewRun, Run } from '../model/run.js';
import { EnqueueRepository } from './enqueue.repository.js';
import type { EnqueueResult, AcceptedRun, RefusedRun } from './enqueue.repository.js';
import { RunDispatcher } from '../queue/run-dispatcher.js';

/** Longer payloads share no statement, which would come to a hundred of them; characters. */
const MAX_SHARED_PAYLOAD = 32_768;

/** The one way in for runs, whatever set them going. */
@Injectable()
export class RunEnqueuer {
  private readonly insertion: GroupedStatement<NewRun, AcceptedRun | RefusedRun | null>;

  constructor(
    private readonly database: Database,
    private readonly acceptance: EnqueueRepository,
    private readonly dispatcher: RunDispatcher,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.insertion = new GroupedStatement(async (runs) => {
      const { accepted, refused } = await acceptance.insertOfUnheld(database.autoCommit, runs);
      const byId = new Map([...accepted, ...refused].map((run) => [run.id, run]));
      return runs.map((run) => byId.get(run.id) ?? null);
    });
  }

  /**
   * Accepts runs of jobs: when `tx` commits they will end, and the workers are told of them then. Left out are
   * runs whose job is gone, and, unless triggered by hand, those whose job is paused.
   *
   * @returns those that their tenant's quota has no capacity for; of one tenant, none that is accepted comes after them
   */
  async acceptAll(tx: Tx, runs: readonly NewRun[]): Promise<readonly RefusedRun[]> {
    return (await this.insert(tx, runs)).refused;
  }

  /**
   * As `acceptAll`, of a single run. Null when it is left out.
   * @throws limit_reached
   */
  async accept(tx: Tx, run: NewRun): Promise<Run | null> {
    const { accepted, refused } = await this.insert(tx, [run]);
    if (refused[0] !== undefined) throw limitReached(this.config.limits, refused[0].reached);
    return accepted[0] ?? null;
  }

  private async insert(tx: Tx, runs: readonly NewRun[]): Promise<EnqueueResult> {
    if (runs.length === 0) return { accepted: [], refused: [] };
    const acceptance = await this.acceptance.insert(tx, runs);
    const { accepted } = acceptance;
    const delays = new Map(runs.map((run) => [run.id, run.delayMs]));
    const called = accepted.filter((run) => !run.throttled);
    afterCommit(tx, async () => {
      await this.dispatcher.wakeUpAll(called.filter(({ id }) => delays.get(id) === 0));
      for (const run of called.filter(({ id }) => delays.get(id) !== 0))
        await this.dispatcher.wakeUp(run, delays.get(run.id));
    });
    return acceptance;
  }

  /**
   * Accepts a run that comes with nothing else: once this returns it is committed. Null when its job is gone.
   * @throws limit_reached
   */
  async acceptAlone(run: NewRun): Promise<Run | null> {
    const together = run.payload.length > MAX_SHARED_PAYLOAD ? null : await this.insertion.run(run);
    const accepted = together ?? (await this.insertAlone(run));
    if (accepted !== null && accepted.reached !== null)
      throw limitReached(this.config.limits, accepted.reached);
    if (accepted !== null && !accepted.throttled) await this.dispatcher.wakeUp(accepted, run.delayMs);
    return accepted;
  }

  /** What others are not to wait for: a large payload, or a job that is gone or about to go. */
  private async insertAlone(run: NewRun): Promise<AcceptedRun | RefusedRun | null> {
    const { accepted, refused } = await this.acceptance.insert(this.database.autoCommit, [run]);
    return accepted[0] ?? refused[0] ?? null;
  }
}
