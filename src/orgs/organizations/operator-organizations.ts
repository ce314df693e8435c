import { Injectable } from '@nestjs/common';
import { Database, rows } from '../../platform/database/index.js';

/** An organization as the operator of the deployment sees it. */
export interface OperatorOrganization {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly members: number;
}

/** Every organization of the deployment. */
@Injectable()
export class OperatorOrganizations {
  constructor(private readonly database: Database) {}

  /** Newest first, before the id `before`. */
  async list(limit: number, before: string | null): Promise<OperatorOrganization[]> {
    return await rows<OperatorOrganization>(
      this.database.reader,
      `SELECT org.id, org.slug, org.name, org.created_at AS "createdAt",
              (SELECT count(*)::int FROM members member WHERE member.org_id = org.id) AS members
       FROM organizations org
       WHERE $2::uuid IS NULL OR org.id < $2
       ORDER BY org.id DESC LIMIT $1`,
      [limit, before],
    );
  }
}
