import { Inject, Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { ADVISORY_LOCKS, firstRow, rows, violatesUnique } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';

@Entity('organizations')
export class OrganizationEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  slug!: string;

  @Column('text')
  name!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('boolean', { name: 'require_second_factor' })
  requireSecondFactor!: boolean;
}

const COLUMNS = `id, slug, name, created_at AS "createdAt", require_second_factor AS "requireSecondFactor"`;

@Injectable()
export class OrganizationRepository {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  async find(handle: Tx | Reader, id: string): Promise<OrganizationEntity | null> {
    return await firstRow(handle, `SELECT ${COLUMNS} FROM organizations WHERE id = $1`, [id]);
  }

  /**
   * Locks the organization until the transaction ends. Every change of its members, roles or invitations takes this
   * lock before any other, so that such changes happen one after the other and cannot deadlock.
   */
  async lock(tx: Tx, id: string): Promise<OrganizationEntity | null> {
    return await firstRow(tx, `SELECT ${COLUMNS} FROM organizations WHERE id = $1 FOR UPDATE`, [id]);
  }

  /** Locks all organizations of a user, always in the same order, and returns their ids. */
  async lockAllOfUser(tx: Tx, userId: string): Promise<string[]> {
    const locked = await rows<{ id: string }>(
      tx,
      `SELECT id FROM organizations
       WHERE id IN (SELECT org_id FROM members WHERE user_id = $1)
       ORDER BY id FOR UPDATE`,
      [userId],
    );
    return locked.map(({ id }) => id);
  }

  /** @returns false when the slug is taken or reserved; the transaction must be rolled back then */
  async insertOrganization(tx: Tx, organization: OrganizationEntity): Promise<boolean> {
    return await this.claimingSlug(tx, organization.id, organization.slug, () =>
      tx.insert(OrganizationEntity, organization),
    );
  }

  async rename(tx: Tx, id: string, name: string): Promise<void> {
    await tx.update(OrganizationEntity, { id }, { name });
  }

  /**
   * Sets whether members need a second factor.
   * @param byUserId who would have to meet it at once; null where no person asks
   * @returns false where that user has none
   */
  async setSecondFactorRequirement(
    tx: Tx,
    id: string,
    isRequired: boolean,
    byUserId: string | null,
  ): Promise<boolean> {
    const set = await rows(
      tx,
      `UPDATE organizations SET require_second_factor = $2
       WHERE id = $1
         AND (NOT $2 OR $3::uuid IS NULL OR EXISTS (SELECT FROM users WHERE id = $3 AND second_factor))
       RETURNING id`,
      [id, isRequired, byUserId],
    );
    return set.length === 1;
  }

  /**
   * Changes the slug. The old one is free until it is reserved.
   * @returns false when the new slug is taken or reserved; the transaction must be rolled back then
   */
  async changeSlug(tx: Tx, id: string, slug: string): Promise<boolean> {
    // Two organizations that swap slugs would deadlock.
    await rows(tx, 'SELECT pg_advisory_xact_lock($1, hashtext(current_schema()))', [ADVISORY_LOCKS.slugs]);
    return await this.claimingSlug(tx, id, slug, () => tx.update(OrganizationEntity, { id }, { slug }));
  }

  /** How many former slugs refer to the organization. */
  async countFormerSlugs(tx: Tx, id: string): Promise<number> {
    const counted = await firstRow<{ count: number }>(
      tx,
      'SELECT count(*)::int AS count FROM former_slugs WHERE org_id = $1 AND reserved_until > now()',
      [id],
    );
    return counted?.count ?? 0;
  }

  /** Reserves the slug that the organization had until now. */
  async reserveSlug(tx: Tx, id: string, oldSlug: string): Promise<void> {
    // A row that is there already is an expired reservation: this organization had the slug until now.
    await rows(
      tx,
      `INSERT INTO former_slugs (slug, org_id, reserved_until)
       VALUES ($1, $2, now() + make_interval(days => $3))
       ON CONFLICT (slug) DO UPDATE SET org_id = EXCLUDED.org_id, reserved_until = EXCLUDED.reserved_until`,
      [oldSlug, id, this.config.timing.lives.formerSlugDays],
    );
  }

  /** Also deletes its roles, members, invitations, API keys and former slugs, by cascade. */
  async delete(tx: Tx, id: string): Promise<void> {
    await tx.delete(OrganizationEntity, { id });
  }

  /**
   * The unique index decides between simultaneous writers of a slug, and between them and the organization that gives
   * it up. Only after it has let this write through are the reservations final.
   */
  private async claimingSlug(
    tx: Tx,
    id: string,
    slug: string,
    write: () => Promise<unknown>,
  ): Promise<boolean> {
    try {
      await write();
    } catch (error) {
      if (violatesUnique(error, 'organizations_slug_key')) return false;
      throw error;
    }
    await rows(tx, `DELETE FROM former_slugs WHERE slug = $1 AND (org_id = $2 OR reserved_until <= now())`, [
      slug,
      id,
    ]);
    return (await firstRow(tx, `SELECT slug FROM former_slugs WHERE slug = $1`, [slug])) === null;
  }
}
