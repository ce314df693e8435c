import { Injectable } from '@nestjs/common';
import { violatesUnique } from '../platform/database/index.js';
import type { Tx } from '../platform/database/index.js';
import { MemberEntity } from './member.entity.js';
import { OrganizationEntity } from './organization.entity.js';

@Injectable()
export class OrganizationRepository {
  /** False when the slug is taken; the transaction is of no more use then. */
  async insert(tx: Tx, organization: OrganizationEntity): Promise<boolean> {
    try {
      await tx.insert(OrganizationEntity, organization);
      return true;
    } catch (error) {
      if (violatesUnique(error, 'organizations_slug_key')) return false;
      throw error;
    }
  }

  async addMember(tx: Tx, member: MemberEntity): Promise<void> {
    await tx.insert(MemberEntity, member);
  }
}
