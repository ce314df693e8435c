import { Injectable } from '@nestjs/common';
import type { Tx } from '../platform/database/index.js';
import { BUILTIN_ROLES } from './builtin-roles.js';
import { RoleEntity } from './role.entity.js';

@Injectable()
export class RoleRepository {
  /** Gives a new organization its built-in roles. */
  async insertBuiltins(tx: Tx, orgId: string): Promise<void> {
    const builtins = Object.entries(BUILTIN_ROLES).map(([name, permissions]) => ({
      orgId,
      name,
      permissions: [...permissions],
      builtin: true,
    }));
    await tx.insert(RoleEntity, builtins);
  }
}
