import { Injectable } from '@nestjs/common';
import { afterCommit, Database, GroupedStatement } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import type { NewRun, Run } from './run.js';
import { RunAcceptanceRepository } from './run-acceptance.repository.js';
import type { AcceptedRun } from './run-acceptance.repository.js';
import { RunDispatcher } from './run-dispatcher.js';

/** Longer payloads share no statement, which would come to a hundred of them; characters. */
const MAX_SHARED_PAYLOAD = 32_768;

/** The one way in for runs, whatever set them going. */
@Injectable()
export class RunIntake {
  private readonly insertion: GroupedStatement<NewRun, AcceptedRun | null>;

  constructor(
    private readonly database: Database,
    private readonly acceptance: RunAcceptanceRepository,
    private readonly dispatcher: RunDispatcher,
  ) {
    this.insertion = new GroupedStatement(async (runs) => {
      const accepted = await acceptance.insertOfUnheld(database.oneStatement, runs);
      const byId = new Map(accepted.map((run) => [run.id, run]));
      return runs.map((run) => byId.get(run.id) ?? null);
    });
  }

  /**
   * Accepts runs of jobs: when `tx` commits they will end, and the workers are told of them then. Left out are
   * runs whose job is gone, and, unless triggered by hand, those whose job is paused.
   *
   * @returns those accepted, in no promised order
   */
  async accept(tx: Tx, runs: readonly NewRun[]): Promise<Run[]> {
    if (runs.length === 0) return [];
    const accepted = await this.acceptance.insert(tx, runs);
    const delays = new Map(runs.map((run) => [run.id, run.delayMs]));
    const called = accepted.filter((run) => !run.parked);
    afterCommit(tx, async () => {
      await this.dispatcher.hintAll(called.filter(({ id }) => delays.get(id) === 0));
      for (const run of called.filter(({ id }) => delays.get(id) !== 0))
        await this.dispatcher.hint(run, delays.get(run.id));
    });
    return accepted;
  }

  /** Accepts a run that comes with nothing else: once this returns it is committed. Null when its job is gone. */
  async acceptAlone(run: NewRun): Promise<Run | null> {
    const together = run.payload.length > MAX_SHARED_PAYLOAD ? null : await this.insertion.run(run);
    const accepted = together ?? (await this.insertAlone(run));
    if (accepted !== null && !accepted.parked) await this.dispatcher.hint(accepted, run.delayMs);
    return accepted;
  }

  /** What others are not to wait for: a large payload, or a job that is gone or about to go. */
  private async insertAlone(run: NewRun): Promise<AcceptedRun | null> {
    return (await this.acceptance.insert(this.database.oneStatement, [run]))[0] ?? null;
  }
}
