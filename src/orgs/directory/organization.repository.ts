import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
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
}

/** How long a former slug still leads to its organization, and nobody else may have it (contract section 5). */
const RESERVATION_DAYS = 30;

const COLUMNS = `id, slug, name, created_at AS "createdAt"`;

@Injectable()
export class OrganizationRepository {
  async find(handle: Tx | Reader, id: string): Promise<OrganizationEntity | null> {
    return await firstRow(handle, `SELECT ${COLUMNS} FROM organizations WHERE id = $1`, [id]);
  }

  /**
   * Holds the organization until the transaction ends. Whatever changes its members, roles or invitations
   * takes this lock before any other, so that such changes happen one after the other and cannot deadlock.
   */
  async lock(tx: Tx, id: string): Promise<OrganizationEntity | null> {
    return await firstRow(tx, `SELECT ${COLUMNS} FROM organizations WHERE id = $1 FOR UPDATE`, [id]);
  }

  /** Holds all organizations of a user, in one order for everybody, and gives their ids. */
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

  /** False when the slug is taken or reserved; the transaction is of no more use then. */
  async insert(tx: Tx, organization: OrganizationEntity): Promise<boolean> {
    return await this.claimingSlug(tx, organization.id, organization.slug, () =>
      tx.insert(OrganizationEntity, organization),
    );
  }

  async rename(tx: Tx, id: string, name: string): Promise<void> {
    await tx.update(OrganizationEntity, { id }, { name });
  }

  /**
   * Gives the organization another slug; the old one is anybody's until it is reserved.
   * @returns false when the new slug is taken or reserved; the transaction is of no more use then
   */
  async changeSlug(tx: Tx, id: string, slug: string): Promise<boolean> {
    // Two organizations that trade slugs would each wait for the other.
    await rows(tx, 'SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.slugs]);
    return await this.claimingSlug(tx, id, slug, () => tx.update(OrganizationEntity, { id }, { slug }));
  }

  /** How many former slugs lead to the organization. */
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
      [oldSlug, id, RESERVATION_DAYS],
    );
  }

  /** Roles, members, invitations, API keys and former slugs go with it. */
  async delete(tx: Tx, id: string): Promise<void> {
    await tx.delete(OrganizationEntity, { id });
  }

  /**
   * The unique index decides between those who take a slug at once, and between them and the organization
   * that gives it up. Only after it has let us through is it known which reservations there are.
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
