import { Global, Module, Inject, Injectable, Logger } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { BackgroundServices } from '../platform/lifecycle/index.js';
import type pg from 'pg';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { afterCommit, clientFor, rows } from '../platform/database/index.js';
import type { Tx } from '../platform/database/index.js';
import type { BackgroundService } from '../platform/lifecycle/index.js';

/** Says that the rows behind something may have changed, by kind and id. It carries no content. */
export interface Change {
  readonly kind:
    | 'membership'
    | 'organization'
    | 'project'
    | 'user'
    | 'api_key'
    | 'signing_keys'
    | 'signing_secret'
    | 'run_taken'
    | 'run_operation';
  /**
   * For `membership`, the user's id, or the organization's for all of its members; for `signing_secret`, the tenant's
   * id; otherwise the id of the thing itself. `*` means any.
   */
  readonly id: string;
}

type Listener = (change: Change | 'everything') => void;

/**
 * Notifies every instance of a committed change through PostgreSQL LISTEN/NOTIFY. A listener that lost its connection
 * may have missed any number of changes, so it receives `everything` when it is connected again.
 */
@Injectable()
export class CacheInvalidation implements BackgroundService {
  readonly name = 'cache invalidation';
  readonly isNeededToServe = true;
  private readonly logger = new Logger(CacheInvalidation.name);
  private readonly listeners: Listener[] = [];
  private client: pg.Client | null = null;
  private probe: NodeJS.Timeout | undefined;
  private retry: NodeJS.Timeout | undefined;
  private stopped = false;

  readonly timing: Config['timing']['cache'];
  /** Of this deployment alone: channels are the whole database's, and others may have theirs in other schemas. */
  private readonly channel: string;

  constructor(@Inject(CONFIG) private readonly config: Config) {
    this.timing = config.timing.cache;
    this.channel = `${config.database.schema}_changes`;
  }

  /**
   * Announces the change to all instances when `tx` commits, and never when it rolls back. This instance's listeners
   * receive it before the transaction returns to its caller, and once more as a notification.
   */
  async announce(tx: Tx, change: Change): Promise<void> {
    await rows(tx, 'SELECT pg_notify($1, $2)', [this.channel, `${change.kind}:${change.id}`]);
    afterCommit(tx, () => {
      this.emit(change);
    });
  }

  /** As `announce`, in one statement. */
  async announceAll(tx: Tx, changes: readonly Change[]): Promise<void> {
    const payloads = changes.map(({ kind, id }) => `${kind}:${id}`);
    await rows(tx, 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload', [
      this.channel,
      payloads,
    ]);
    afterCommit(tx, () => {
      for (const change of changes) this.emit(change);
    });
  }

  onChange(listener: Listener): void {
    this.listeners.push(listener);
  }

  async start(): Promise<void> {
    await this.connect();
    // A connection can die without closing.
    this.probe = setInterval(() => void this.probeConnection(), this.timing.probeMs);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.probe);
    clearTimeout(this.retry);
    await this.client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const client = clientFor(this.config.database, {
      application_name: 'service-changes',
      connectionTimeoutMillis: this.timing.connectLimitMs,
      keepAlive: true,
    });
    client.on('error', () => {
      this.onConnectionLost(client);
    });
    client.on('end', () => {
      this.onConnectionLost(client);
    });
    client.on('notification', ({ payload }) => {
      this.receive(payload ?? '');
    });
    this.client = client;
    await client.connect();
    await client.query(`LISTEN ${client.escapeIdentifier(this.channel)}`);
    this.emit('everything');
  }

  private onConnectionLost(client: pg.Client): void {
    if (this.stopped || this.client !== client) return;
    this.client = null;
    this.logger.warn('lost the connection that receives change notifications; reconnecting');
    void client.end().catch(() => undefined);
    this.reconnectSoon();
  }

  /**
   * Schedules one attempt, however often it is called: a connection that fails while connecting reports more than one
   * error.
   */
  private reconnectSoon(): void {
    clearTimeout(this.retry);
    this.retry = setTimeout(() => {
      this.connect().catch(() => {
        void this.client?.end().catch(() => undefined);
        this.client = null;
        if (!this.stopped) this.reconnectSoon();
      });
    }, this.timing.reconnectMs);
  }

  private async probeConnection(): Promise<void> {
    const { client } = this;
    if (client === null) return;
    const deadline = setTimeout(() => {
      this.onConnectionLost(client);
    }, this.timing.probeLimitMs);
    await client.query('SELECT 1').catch(() => undefined);
    clearTimeout(deadline);
  }

  private receive(payload: string): void {
    const separator = payload.indexOf(':');
    this.emit({ kind: payload.slice(0, separator) as Change['kind'], id: payload.slice(separator + 1) });
  }

  private emit(change: Change | 'everything'): void {
    for (const listener of this.listeners) listener(change);
  }
}

@Global()
@Module({ providers: [CacheInvalidation], exports: [CacheInvalidation] })
export class CacheInvalidationModule implements OnModuleInit {
  constructor(
    private readonly services: BackgroundServices,
    private readonly invalidation: CacheInvalidation,
  ) {}

  onModuleInit(): void {
    this.services.register(this.invalidation);
  }
}
