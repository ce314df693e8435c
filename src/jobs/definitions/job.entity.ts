import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TriggerDto } from '../triggers/index.js';
import type { RetryBackoff } from '../runs/model/retry-backoff.js';

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

  @Column('integer', { name: 'timeout_ms' })
  timeoutMs!: number;

  @Column('integer')
  retries!: number;

  @Column('jsonb', { name: 'retry_backoff' })
  retryBackoff!: RetryBackoff;

  @Column('jsonb')
  triggers!: TriggerDto[];

  @Column('boolean')
  paused!: boolean;

  @Column('integer', { name: 'max_concurrent_runs', nullable: true })
  maxConcurrentRuns!: number | null;

  /** Who may trigger it besides callers with the permission: every signed-in user of the tenant, or nobody. */
  @Column('text', { name: 'invocable_by', nullable: true })
  invocableBy!: 'authenticated' | null;
}
