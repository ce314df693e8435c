import { Inject, Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database, deleteExpired } from '../../platform/database/index.js';
import type { ExpiredRows } from '../../platform/database/index.js';
import { PeriodicService } from '../../platform/lifecycle/index.js';

/** Rows that one statement removes: few enough that it holds their locks for milliseconds. */
const BATCH = 1000;
/** Of one table in one round. The rest waits for the next round, on this or another instance. */
const BATCHES = { batchSize: BATCH, maxBatches: 200 };

/** What identity keeps for a time, in the order in which it is deleted. */
function expiredRows({ identity, limits }: Config): ExpiredRows[] {
  return [
    // Tokens that expired unused are refused like unknown ones. Used ones stay until their use is a token's life ago: a
    // second use must be known for what it is.
    {
      table: 'refresh_tokens',
      key: 'token_hash',
      when: 'expires_at <= now() AND (rotated_at IS NULL OR rotated_at <= now() - make_interval(secs => $2))',
      parameter: identity.refreshTtlSecs,
    },
    // Sessions, revoked or expired, after the tokens, for it is they that keep one.
    {
      table: 'sessions',
      key: 'id',
      when: `last_refreshed_at <= now() - make_interval(secs => $2)
         AND NOT EXISTS (SELECT FROM refresh_tokens token WHERE token.session_id = sessions.id)`,
      parameter: identity.refreshTtlSecs,
    },
    // For a day a refusal can name the account of a token.
    { table: 'one_time_tokens', key: 'token_hash', when: "expires_at <= now() - interval '1 day'" },
    { table: 'second_factor_challenges', key: 'token_hash', when: 'expires_at <= now()' },
    { table: 'sign_in_codes', key: 'code_hash', when: 'expires_at <= now()' },
    { table: 'passkey_challenges', key: 'challenge_hash', when: 'expires_at <= now()' },
    // They have expired by the clock of every instance then.
    { table: 'used_passkey_tokens', key: 'token_hash', when: "expires_at <= now() - interval '1 hour'" },
    { table: 'address_changes', key: 'user_id', when: 'expires_at <= now()' },
    {
      table: 'mail_history',
      key: 'id',
      when: 'finished_at <= now() - make_interval(days => $2)',
      parameter: identity.mailHistoryDays,
    },
    {
      table: 'mail_cooldowns',
      key: 'address_hash',
      when: 'taken_at <= now() - make_interval(secs => $2)',
      parameter: limits.mailIntervalSecs,
    },
    { table: 'mail_counts', key: 'subject_hash', when: "since <= now() - interval '1 day'" },
  ];
}

/** Deletes expired rows, on any number of worker instances at the same time. */
@Injectable()
export class ExpiredRowCleanup extends PeriodicService {
  private readonly expired: readonly ExpiredRows[];

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly database: Database,
    registry: SchedulerRegistry,
  ) {
    super(registry, 'identity pruning', config.timing.identity.pruneMs);
    this.expired = expiredRows(config);
  }

  async runOnce(): Promise<void> {
    for (const expired of this.expired)
      await this.deleteInBatches(() => deleteExpired(this.database.autoCommit, expired, BATCH), BATCHES);
  }
}
