import { Inject, Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { makeCounterProvider, makeGaugeProvider, makeHistogramProvider } from '@willsoto/nestjs-prometheus';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { BackgroundServices } from '../platform/lifecycle/index.js';
import {
  BundleRegistration,
  Definitions,
  DefinitionsController,
  JobCatalog,
  JobDrafts,
  JobEntity,
  JobStore,
  JobRepository,
  TenantJobs,
} from './definitions/index.js';
import { VaultModule } from '../vault/index.js';
import {
  EndpointClient,
  EndpointRequests,
  EndpointSecretRepository,
  HandlerRequests,
  Handlers,
  Invoker,
} from './invoker/index.js';
import { RunLogsModule } from './logs/index.js';
import { Retention } from './runs/retention/retention.js';
import { RetentionRepository } from './runs/retention/retention.repository.js';
import { AttemptDeferral } from './runs/deferral/attempt-deferral.js';
import { DeferralRepository } from './runs/deferral/deferral.repository.js';
import { ReportedEnds } from './runs/finish/reported-ends.js';
import { AttemptReports } from './runs/reports/attempt-reports.js';
import { AttemptReportsController } from './runs/reports/attempt-reports.controller.js';
import { AttemptRights } from './runs/attempt/attempt-rights.js';
import { RunAttempts } from './runs/attempt/run-attempts.js';
import { BlockedRuns } from './runs/finish/blocked-runs.js';
import { RunCancellation } from './runs/finish/run-cancellation.js';
import { RunEnds } from './runs/finish/run-ends.js';
import { LocalWorker } from './runs/queue/local-worker.js';
import { RunDispatcher } from './runs/queue/run-dispatcher.js';
import { ActiveRunRepository } from './runs/finish/active-run.repository.js';
import { ExchangeRepository } from './runs/exchange/exchange.repository.js';
import { RunPump } from './runs/exchange/run-pump.js';
import { WaitingTenantRepository } from './runs/recovery/waiting-tenant.repository.js';
import { RunWakeUps } from './runs/queue/run-wake-ups.js';
import { RunEnqueuer } from './runs/enqueue/run-enqueuer.js';
import { QUEUE_DEPTH, RUN_DURATION, RunMetrics, RUNS_TOTAL } from './runs/finish/run-metrics.js';
import { IdempotencyKeyRepository } from './runs/enqueue/idempotency-key.repository.js';
import { IdempotentRequests } from './runs/enqueue/idempotent-requests.js';
import { OperatorQueueController, QueueStateController } from './runs/queue-state/queue-state.controller.js';
import { QueueState } from './runs/queue-state/queue-state.js';
import { QueueStateRepository } from './runs/queue-state/queue-state.repository.js';
import { RunStatsController } from './runs/stats/run-stats.controller.js';
import { RunStatsRepository } from './runs/stats/run-stats.repository.js';
import { RunStats } from './runs/stats/run-stats.js';
import { RunSweeper } from './runs/recovery/run-sweeper.js';
import { RunTokens } from './runs/attempt/run-tokens.js';
import { RunWorker } from './runs/attempt/run-worker.js';
import { RunRepository } from './runs/model/run.repository.js';
import { RunsController } from './runs/http/runs.controller.js';
import { RunRetries } from './runs/enqueue/run-retries.js';
import { RunTriggers } from './runs/enqueue/run-triggers.js';
import { TriggersController } from './runs/http/triggers.controller.js';
import { ParentRuns } from './runs/enqueue/parent-runs.js';
import { StepRepository } from './runs/steps/step.repository.js';
import { Steps } from './runs/steps/steps.js';
import { StepsController } from './runs/steps/steps.controller.js';
import { RunListRepository } from './runs/search/run-list.repository.js';
import { RunLists } from './runs/search/run-lists.js';
import { WorkerHeartbeat } from './runs/slots/worker-heartbeat.js';
import { OperationRepository } from './operations/operation.repository.js';
import { OperationWorker } from './operations/operation-worker.js';
import { Operations } from './operations/operations.js';
import { OperationsController } from './operations/operations.controller.js';
import { RunRepeats } from './runs/enqueue/run-repeats.js';
import { SigningModule } from './signing/index.js';
import { TriggerKinds } from './triggers/index.js';

@Module({
  imports: [RunLogsModule, SigningModule, VaultModule, TypeOrmModule.forFeature([JobEntity])],
  controllers: [
    AttemptReportsController,
    DefinitionsController,
    OperationsController,
    OperatorQueueController,
    QueueStateController,
    RunStatsController,
    RunsController,
    StepsController,
    TriggersController,
  ],
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
    JobStore,
    JobRepository,
    EndpointClient,
    EndpointRequests,
    EndpointSecretRepository,
    HandlerRequests,
    Handlers,
    Invoker,
    TenantJobs,
    Retention,
    RetentionRepository,
    QueueState,
    QueueStateRepository,
    AttemptDeferral,
    AttemptReports,
    DeferralRepository,
    ReportedEnds,
    StepRepository,
    Steps,
    AttemptRights,
    BlockedRuns,
    RunAttempts,
    RunCancellation,
    RunEnds,
    LocalWorker,
    RunDispatcher,
    ActiveRunRepository,
    ExchangeRepository,
    RunPump,
    WaitingTenantRepository,
    RunWakeUps,
    RunEnqueuer,
    RunMetrics,
    OperationRepository,
    Operations,
    OperationWorker,
    RunRepeats,
    RunListRepository,
    RunLists,
    RunRepository,
    IdempotencyKeyRepository,
    IdempotentRequests,
    RunStats,
    RunStatsRepository,
    RunSweeper,
    RunTokens,
    RunWorker,
    RunRetries,
    RunTriggers,
    ParentRuns,
    TriggerKinds,
    WorkerHeartbeat,
  ],
  exports: [
    JobRepository,
    JobStore,
    RunEnqueuer,
    RunMetrics,
    RunStats,
    RunTokens,
    TriggerKinds,
    WorkerHeartbeat,
  ],
})
export class JobsModule implements OnModuleInit {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly backgroundServices: BackgroundServices,
    private readonly bundle: BundleRegistration,
    private readonly handlers: Handlers,
    private readonly worker: RunWorker,
    private readonly sweeper: RunSweeper,
    private readonly retention: Retention,
  ) {}

  onModuleInit(): void {
    // First: an instance does not serve requests before the jobs of the bundle are registered.
    this.backgroundServices.register(this.bundle);
    if (this.config.roles.has('worker')) {
      this.backgroundServices.register(this.handlers);
      this.backgroundServices.register(this.worker);
    }
    if (this.config.roles.has('scheduler')) {
      this.backgroundServices.register(this.sweeper);
      this.backgroundServices.register(this.retention);
    }
  }
}
