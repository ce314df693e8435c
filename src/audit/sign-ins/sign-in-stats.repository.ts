import { Injectable } from '@nestjs/common';
import { rows } from '../../platform/database/index.js';
import type { AutoCommit, Reader } from '../../platform/database/index.js';
import type { SignInCount } from './sign-in-counts.js';

/** The sign-ins of an interval. It begins at an instant in milliseconds since 1970. */
export interface SignInPart extends SignInCount {
  readonly at: number;
}

/** The shortest interval, which is also the interval of a row. */
export const ROW_MINUTES = 5;

const EPOCH = `timestamptz '2000-01-01T00:00:00Z'`;

@Injectable()
export class SignInStatsRepository {
  /** Adds to the figures of the current interval, and deletes those older than `keptDays`. */
  async add(
    handle: AutoCommit,
    { signedUp, signedIn, refused, unanswered }: SignInCount,
    keptDays: number,
  ): Promise<void> {
    await rows(
      handle,
      `WITH too_old AS (DELETE FROM sign_in_stats WHERE at < now() - make_interval(days => $5))
       INSERT INTO sign_in_stats AS stats (at, signed_up, signed_in, refused, unanswered)
       VALUES (date_bin(make_interval(mins => ${ROW_MINUTES}), now(), ${EPOCH}), $1, $2, $3, $4)
       ON CONFLICT (at) DO UPDATE SET
         signed_up = stats.signed_up + excluded.signed_up, signed_in = stats.signed_in + excluded.signed_in,
         refused = stats.refused + excluded.refused, unanswered = stats.unanswered + excluded.unanswered`,
      [signedUp, signedIn, refused, unanswered, keptDays],
    );
  }

  async parts(
    handle: Reader,
    { since, until, minutes }: { since: Date; until: Date; minutes: number },
  ): Promise<SignInPart[]> {
    return await rows<SignInPart>(
      handle,
      `SELECT (extract(epoch FROM date_bin(make_interval(mins => $3), at, ${EPOCH})) * 1000)::float8 AS at,
              sum(signed_up)::float8 AS "signedUp", sum(signed_in)::float8 AS "signedIn",
              sum(refused)::float8 AS refused, sum(unanswered)::float8 AS unanswered
       FROM sign_in_stats WHERE at >= $1 AND at < $2 GROUP BY 1`,
      [since, until, minutes],
    );
  }
}
