import { Injectable } from '@nestjs/common';
import { firstRow } from '../platform/database/index.js';
import type { Reader, Tx } from '../platform/database/index.js';

/** Whoever acts in an organization: a member, one of its API keys, or one of its runs. */
export interface Holder {
  readonly type: 'user' | 'api_key' | 'run';
  readonly id: string;
}

const OF_MEMBER = `
  SELECT role.permissions
  FROM members member
  JOIN roles role ON role.org_id = member.org_id AND role.name = member.role
  JOIN users account ON account.id = member.user_id AND account.disabled_at IS NULL
  WHERE member.org_id = $1 AND member.user_id = $2`;

const OF_KEY = `
  SELECT permissions FROM api_keys
  WHERE org_id = $1 AND id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`;

/** What a member or an API key may do, as the database has it now: for decisions that a cache may not make. */
@Injectable()
export class Authority {
  /** Null for who is no member, is disabled, or is a key that is revoked or expired. */
  async held(handle: Tx | Reader, organizationId: string, holder: Holder): Promise<readonly string[] | null> {
    // It may do everything as long as its attempt lasts, which was looked up for this very request.
    if (holder.type === 'run') return ['*'];
    const found = await firstRow<{ permissions: string[] }>(
      handle,
      holder.type === 'user' ? OF_MEMBER : OF_KEY,
      [organizationId, holder.id],
    );
    return found?.permissions ?? null;
  }
}
