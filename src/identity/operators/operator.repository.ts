import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import type { SessionOfCaller } from '../sessions/session-liveness.js';

/** What an operator may do: everything, or read. */
export type OperatorAccess = 'full' | 'read_only';

/** An account that operates the deployment. */
export interface Operator {
  readonly userId: string;
  readonly email: string;
  readonly access: OperatorAccess;
  readonly addedAt: Date;
}

/** What the database says of the account and the session of an access token. */
export interface OperatorSessionState {
  readonly email: string;
  /** Null for an account that operates nothing. */
  readonly access: OperatorAccess | null;
  /** Whether the session lives and the account is not disabled. */
  readonly isLive: boolean;
  /** Whether a second factor is in force, and the session has met one. */
  readonly hasMetFactor: boolean;
}

const ACCESS = `CASE WHEN operators.read_only THEN 'read_only' WHEN NOT operators.read_only THEN 'full' END`;

@Injectable()
export class OperatorRepository {
  /** Adds the account to the operators, or changes what it may do. Returns what it might do before; null for nothing. */
  async put(tx: Tx, userId: string, access: OperatorAccess): Promise<OperatorAccess | null> {
    const before = await this.accessOf(tx, userId);
    await rows(
      tx,
      `INSERT INTO operators (user_id, read_only) VALUES ($1, $2)
       ON CONFLICT (user_id) DO UPDATE SET read_only = excluded.read_only`,
      [userId, access === 'read_only'],
    );
    return before;
  }

  /** Whether the account was an operator. */
  async remove(tx: Tx, userId: string): Promise<boolean> {
    const removed = await rows(tx, 'DELETE FROM operators WHERE user_id = $1 RETURNING user_id', [userId]);
    return removed.length === 1;
  }

  async exist(handle: Tx | Reader): Promise<boolean> {
    const found = await firstRow<{ exist: boolean }>(
      handle,
      'SELECT EXISTS (SELECT FROM operators) AS exist',
    );
    return found?.exist === true;
  }

  /** In the order of their addresses. There are few. */
  async list(handle: Tx | Reader): Promise<Operator[]> {
    return await rows<Operator>(
      handle,
      `SELECT users.id AS "userId", users.email, ${ACCESS} AS access, operators.added_at AS "addedAt"
       FROM operators JOIN users ON users.id = operators.user_id ORDER BY users.email`,
    );
  }

  async accessOf(handle: Tx | Reader, userId: string): Promise<OperatorAccess | null> {
    const found = await firstRow<{ access: OperatorAccess }>(
      handle,
      `SELECT ${ACCESS} AS access FROM operators WHERE user_id = $1`,
      [userId],
    );
    return found?.access ?? null;
  }

  /** Null for an account that no longer exists. */
  async sessionState(
    handle: Tx | Reader,
    { userId, sessionId }: SessionOfCaller,
  ): Promise<OperatorSessionState | null> {
    return await firstRow<OperatorSessionState>(
      handle,
      `SELECT users.email, ${ACCESS} AS access,
              users.disabled_at IS NULL AND session.id IS NOT NULL AS "isLive",
              users.second_factor AND coalesce(session.aal = 2, false) AS "hasMetFactor"
       FROM users
         LEFT JOIN operators ON operators.user_id = users.id
         LEFT JOIN sessions session ON session.id = $2 AND session.user_id = users.id AND revoked_at IS NULL
       WHERE users.id = $1`,
      [userId, sessionId],
    );
  }
}
