import { Inject, Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { makeCounterProvider, makeGaugeProvider, makeHistogramProvider } from '@willsoto/nestjs-prometheus';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { DutyRoster } from '../platform/lifecycle/index.js';
import {
  BundleRegistration,
  Definitions,
  DefinitionsController,
  JobCatalog,
  JobDrafts,
  JobEntity,
  JobRemoval,
  JobRepository,
} from './definitions/index.js';
import { Handlers, Invoker } from './invoker/index.js';
import { RunLogsModule } from './logs/index.js';
import { DeferredRuns } from './runs/deferred-runs.js';
import { LostRuns } from './runs/lost-runs.js';
import { Retention } from './runs/retention.js';
import { RetentionRepository } from './runs/retention.repository.js';
import { ParkedRunRepository } from './runs/parked-run.repository.js';
import { RunAcceptanceRepository } from './runs/run-acceptance.repository.js';
import { RunAttempts } from './runs/run-attempts.js';
import { RunCancellation } from './runs/run-cancellation.js';
import { RunCancellationController } from './runs/run-cancellation.controller.js';
import { RunClaimRepository } from './runs/run-claim.repository.js';
import { RunClaims } from './runs/run-claims.js';
import { RunDispatcher } from './runs/run-dispatcher.js';
import { RunEndRepository } from './runs/run-end.repository.js';
import { RunHints } from './runs/run-hints.js';
import { RunIntake } from './runs/run-intake.js';
import { QUEUE_DEPTH, RUN_DURATION, RunMetrics, RUNS_TOTAL } from './runs/run-metrics.js';
import { RunRequestRepository } from './runs/run-request.repository.js';
import { RunRooms } from './runs/run-rooms.js';
import { RunSweeper } from './runs/run-sweeper.js';
import { RunTokens } from './runs/run-tokens.js';
import { RunWorker } from './runs/run-worker.js';
import { RunRepository } from './runs/run.repository.js';
import { RunsController } from './runs/runs.controller.js';
import { Runs } from './runs/runs.js';
import { WaitingCountRepository } from './runs/waiting-count.repository.js';
import { WaitingRunsRepository } from './runs/waiting-runs.repository.js';
import { WorkerHeartbeat } from './runs/worker-heartbeat.js';
import { SigningModule } from './signing/index.js';
import { TenantJobs } from './tenant-jobs.js';
import { TriggerKinds } from './triggers/index.js';

@Module({
  imports: [RunLogsModule, SigningModule, TypeOrmModule.forFeature([JobEntity])],
  controllers: [DefinitionsController, RunCancellationController, RunsController],
  providers: [
    makeCounterProvider({
      name: RUNS_TOTAL,
      help: 'Runs that reached a final status.',
      labelNames: ['status'],
    }),
    makeGaugeProvider({
      name: QUEUE_DEPTH,
      help: 'Runs of the deployment that are due and have not started.',
    }),
    makeHistogramProvider({
      name: RUN_DURATION,
      help: 'From the first start of a run to its end.',
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600],
    }),
    BundleRegistration,
    Definitions,
    JobCatalog,
    JobDrafts,
    JobRemoval,
    JobRepository,
    Handlers,
    Invoker,
    DeferredRuns,
    LostRuns,
    TenantJobs,
    Retention,
    RetentionRepository,
    ParkedRunRepository,
    RunAcceptanceRepository,
    RunAttempts,
    RunCancellation,
    RunClaimRepository,
    RunClaims,
    RunDispatcher,
    RunEndRepository,
    RunHints,
    RunIntake,
    RunMetrics,
    RunRepository,
    RunRequestRepository,
    RunRooms,
    RunSweeper,
    RunTokens,
    RunWorker,
    Runs,
    TriggerKinds,
    WaitingCountRepository,
    WaitingRunsRepository,
    WorkerHeartbeat,
  ],
  exports: [RunIntake, RunMetrics, RunTokens, TriggerKinds, WorkerHeartbeat],
})
export class JobsModule implements OnModuleInit {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly roster: DutyRoster,
    private readonly bundle: BundleRegistration,
    private readonly handlers: Handlers,
    private readonly worker: RunWorker,
    private readonly sweeper: RunSweeper,
    private readonly retention: Retention,
  ) {}

  onModuleInit(): void {
    // First: whoever serves finds the jobs of the bundle registered, or does not come to serve.
    this.roster.enrol(this.bundle);
    if (this.config.roles.has('worker')) {
      this.roster.enrol(this.handlers);
      this.roster.enrol(this.worker);
    }
    if (this.config.roles.has('scheduler')) {
      this.roster.enrol(this.sweeper);
      this.roster.enrol(this.retention);
    }
  }
}
