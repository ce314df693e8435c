import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StoredTrigger } from '../triggers/index.js';
import type { Concurrency } from '../runs/model/concurrency.js';
import type { Debounce } from '../runs/model/debounce.js';
import type { Rate } from '../runs/model/rate.js';
import type { RetryPolicy } from '../runs/model/retry-backoff.js';

@Entity('jobs')
export class JobEntity {
  @PrimaryColumn('uuid', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('text')
  handler!: string;

  /** The path of the secret that signs the calls of an endpoint; null where the handler is a function. */
  @Column('text', { name: 'signing_secret', nullable: true })
  signingSecret!: string | null;

  @Column('integer', { name: 'timeout_ms' })
  timeoutMs!: number;

  @Column('integer')
  retries!: number;

  @Column('jsonb', { name: 'retry_backoff' })
  retryBackoff!: RetryPolicy;

  @Column('jsonb')
  triggers!: StoredTrigger[];

  @Column('boolean')
  paused!: boolean;

  @Column('integer', { name: 'max_concurrent_runs', nullable: true })
  maxConcurrentRuns!: number | null;

  @Column('jsonb', { nullable: true })
  concurrency!: Concurrency | null;

  @Column('jsonb', { nullable: true })
  rate!: Rate | null;

  @Column('jsonb', { nullable: true })
  debounce!: Debounce | null;

  /** The priority of runs that are accepted without one. */
  @Column('integer')
  priority!: number;

  /** How long after it is due a run must start; null for ever. */
  @Column('integer', { name: 'start_within_ms', nullable: true })
  startWithinMs!: number | null;

  /** How long its ended runs are kept; null as long as those of other jobs. */
  @Column('integer', { name: 'retention_days', nullable: true })
  retentionDays!: number | null;

  /** Whether its runs act as whoever sets them going; otherwise for the tenant, with `permissions`. */
  @Column('boolean', { name: 'acts_as_caller' })
  actsAsCaller!: boolean;

  /** Null for all. */
  @Column('text', { array: true, nullable: true })
  permissions!: string[] | null;

  /** Who may trigger it besides callers with the permission: every signed-in user of the tenant, or nobody. */
  @Column('text', { name: 'invocable_by', nullable: true })
  invocableBy!: 'authenticated' | null;
}
