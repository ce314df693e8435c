import { Inject, Injectable } from '@nestjs/common';
import type { RunRights, TenantId } from '../http/index.js';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { Database, firstRow } from '../platform/database/index.js';
import type { SelectText } from '../platform/database/index.js';
import type { RightsHolder } from '../tenancy/index.js';

/** What users may do with jobs that they may invoke (contract, section 6). */
export const USER_PERMISSIONS: readonly string[] = ['jobs:jobs:trigger', 'jobs:runs:read'];

/** The `id` of an operator who is a program. */
const PROGRAM = 'admin.token';

const ENABLED_USER: SelectText = `SELECT id FROM users
  WHERE id = $1 AND realm_id = $2 AND disabled_at IS NULL AND (email_verified OR NOT $3::boolean)`;

const SERVICE_KEY: SelectText = `SELECT id FROM projects WHERE service_key_id = $1 AND id = $2`;

/** An operator needs a second factor for every change. */
const ABLE_OPERATOR: SelectText = `SELECT users.id FROM operators JOIN users ON users.id = operators.user_id
  WHERE users.id = $1 AND NOT read_only AND users.disabled_at IS NULL AND users.second_factor`;

/** What those who set runs going in a project hold there. */
@Injectable()
export class ProjectHolders {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
  ) {}

  /** Null if the holder is gone, disabled, or no longer the key of the project. */
  async rightsOf(projectId: TenantId, { type, id }: RightsHolder): Promise<RunRights | null> {
    if (type === 'user')
      return (await this.finds(ENABLED_USER, [id, projectId, this.config.identity.requireVerifiedEmail]))
        ? { permissions: USER_PERMISSIONS, userId: id }
        : null;
    const isPresent =
      type === 'key' ? await this.finds(SERVICE_KEY, [id, projectId]) : await this.isOperator(id);
    return isPresent ? EVERYTHING : null;
  }

  private async isOperator(id: string): Promise<boolean> {
    return id === PROGRAM ? this.config.admin.token !== null : await this.finds(ABLE_OPERATOR, [id]);
  }

  private async finds(sql: SelectText, parameters: readonly unknown[]): Promise<boolean> {
    return (await firstRow(this.database.reader, sql, [...parameters])) !== null;
  }
}

const EVERYTHING: RunRights = { permissions: ['*'], userId: null };
