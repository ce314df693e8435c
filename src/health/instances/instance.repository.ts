import { Injectable } from '@nestjs/common';
import { rows } from '../../platform/database/index.js';
import type { AutoCommit, Reader } from '../../platform/database/index.js';

/** A process of the deployment. */
export interface Instance {
  readonly id: string;
  readonly roles: readonly string[];
  readonly version: string;
  readonly startedAt: Date;
  /** Its last sign of life. */
  readonly seenAt: Date;
}

/** Whether an instance has given a sign of life within that time. @param now by the clock of the database */
export function isAlive({ seenAt }: Pick<Instance, 'seenAt'>, now: Date, deadAfterMs: number): boolean {
  return now.getTime() - seenAt.getTime() < deadAfterMs;
}

/** The processes of the deployment, in `instances`. */
@Injectable()
export class InstanceRepository {
  /** Records a sign of life, and forgets instances that ended without signing off, after `forgetMs`. */
  async beat(
    handle: AutoCommit,
    { id, roles, version }: Pick<Instance, 'id' | 'roles' | 'version'>,
    forgetMs: number,
  ): Promise<void> {
    await rows(
      handle,
      `WITH dead AS (DELETE FROM instances WHERE seen_at < now() - make_interval(secs => $4::float8 / 1000) AND id <> $1)
       INSERT INTO instances (id, roles, version) VALUES ($1, $2, $3)
       ON CONFLICT (id) DO UPDATE SET seen_at = now()`,
      [id, roles, version, forgetMs],
    );
  }

  /** Writes to the row of an instance as its signs of life do, to find out whether the database takes writes. */
  async touch(handle: AutoCommit, id: string): Promise<void> {
    await rows(handle, 'UPDATE instances SET seen_at = now() WHERE id = $1', [id]);
  }

  async delete(handle: AutoCommit, id: string): Promise<void> {
    await rows(handle, 'DELETE FROM instances WHERE id = $1', [id]);
  }

  /** Oldest first. */
  async list(reader: Reader): Promise<Instance[]> {
    return await rows<Instance>(
      reader,
      `SELECT id, roles, version, started_at AS "startedAt", seen_at AS "seenAt"
       FROM instances ORDER BY started_at, id`,
    );
  }
}
