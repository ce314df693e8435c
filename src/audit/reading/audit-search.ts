import { Injectable } from '@nestjs/common';
import { firstIdAt } from '../../platform/crypto/index.js';
import { Database, firstRow, rows } from '../../platform/database/index.js';
import type { AuditEntry } from '../audit-entry.repository.js';
import { AUDIT_COLUMNS } from '../audit-entry.repository.js';
import type { TenantId } from '../../http/index.js';

/** The trail of the organization or project with this id, or of the whole deployment. */
export type AuditScope = TenantId | 'deployment';

export interface AuditFilters {
  /** An actor's id, a type of actor, or the address of an account. */
  readonly actor: string | null;
  /** An action or, with `*` at its end, every action with this prefix. */
  readonly action: string | null;
  /**
   * A target's id, a type of target, or both as `role:analyst`. `job:report` also finds the entries of manifests and
   * pauses of several jobs that name the job in their details.
   */
  readonly target: string | null;
  /** At this instant or later. */
  readonly since: Date | null;
  /** Before this instant. */
  readonly until: Date | null;
}

/** Some entries, newest first. */
export interface FoundEntries {
  readonly entries: readonly AuditEntry[];
  /** Entries older than the one with this id may match as well; null if none are left. */
  readonly next: string | null;
  /** Whether `maxBytes` left entries out. */
  readonly isCut: boolean;
}

/** The maximum result of one search. */
export interface SearchSize {
  readonly limit: number;
  /** Maximum size of details as JSON. Only one entry may exceed it. */
  readonly maxBytes: number;
}

/**
 * How many entries one search examines. If few of them match, it returns fewer than requested and says where to
 * continue, so that no request scans a trail without limit.
 */
const LOOKED_AT = 20_000;
/** An id and the time of its entry come from two readings of clocks. */
const CLOCK_SLACK_MS = 3_600_000;
/**
 * Addresses are unique within a realm, but the deployment may have an account with the same address in each project.
 */
const MAX_ACCOUNTS = 100;

/** A LIKE pattern for exactly this text, except for `*` at its end. */
function patternOf(action: string): string {
  const escaped = action.replace(/[\\%_]/g, '\\$&');
  return escaped.endsWith('*') ? `${escaped.slice(0, -1)}%` : escaped;
}

/** The type and the id of a target. Text without a colon may be either. */
function targetOf(text: string): { type: string; id: string } {
  const colon = text.indexOf(':');
  return colon < 0 ? { type: text, id: text } : { type: text.slice(0, colon), id: text.slice(colon + 1) };
}

/** Whether a search may examine entries that it does not return. */
export function isFiltered(filters: AuditFilters): boolean {
  return Object.values(filters).some((value) => value !== null);
}

/** Searches the trail, newest first. Ids are ordered by time. */
@Injectable()
export class AuditSearch {
  constructor(private readonly database: Database) {}

  /** @param before entries older than the one with this id; null begins with the newest */
  async find(
    scope: AuditScope,
    filters: AuditFilters,
    before: string | null,
    { limit, maxBytes }: SearchSize,
  ): Promise<FoundEntries> {
    const tenantId = scope === 'deployment' ? null : scope;
    const newest = this.newestOf(filters.until, before);
    const { actor, action, target, since, until } = filters;
    const named = target === null ? null : targetOf(target);
    const isOfJob = target?.startsWith('job:') ?? false;
    const floor = isFiltered(filters) ? await this.floor(tenantId, newest, isOfJob) : null;
    const found = await rows<AuditEntry & { readonly matched: number }>(
      this.database.reader,
      `SELECT ${AUDIT_COLUMNS}, matched FROM (
         SELECT *, count(*) OVER ()::int AS matched, coalesce(sum(octet_length(details::text)) OVER (
           ORDER BY id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS bytes_before
         FROM (
           SELECT * FROM audit_entries
           WHERE ($1::uuid IS NULL OR org_id = $1) AND ($3::uuid IS NULL OR id < $3) AND ($4::uuid IS NULL OR id >= $4)
             AND ($5::text[] IS NULL OR actor_id = ANY ($5) OR actor_type = ANY ($5))
             AND ($6::text IS NULL OR action LIKE $6)
             AND ($7::timestamptz IS NULL OR at >= $7)
             AND ($8::timestamptz IS NULL OR at < $8)
             AND (NOT $13 OR action LIKE 'job%')
             AND ($9::text IS NULL OR CASE
               WHEN $13 THEN target_type = $9 AND target_id = $10
                 OR details -> 'jobs' @> jsonb_build_array(jsonb_build_object('id', $10::text))
                 OR details -> 'jobs' @> jsonb_build_array($10::text)
               WHEN $11 THEN target_type = $9 AND target_id = $10
               ELSE target_type = $9 OR target_id = $10 END)
           ORDER BY id DESC LIMIT $2
         ) page
       ) entries WHERE bytes_before <= $12 ORDER BY id DESC`,
      [
        tenantId,
        limit + 1,
        newest,
        floor?.id ?? null,
        actor === null ? null : await this.actorsOf(actor),
        action === null ? null : patternOf(action),
        since,
        until,
        named?.type ?? null,
        named?.id ?? null,
        target?.includes(':') ?? false,
        maxBytes,
        isOfJob,
      ],
    );
    const isCut = (found[0]?.matched ?? 0) > found.length;
    if (isCut || found.length > limit) {
      const entries = found.slice(0, limit);
      return { entries, next: entries.at(-1)?.id ?? null, isCut };
    }
    const isOlder = since !== null && floor !== null && floor.at.getTime() < since.getTime() - CLOCK_SLACK_MS;
    return { entries: found, next: isOlder ? null : (floor?.id ?? null), isCut };
  }

  private newestOf(until: Date | null, before: string | null): string | null {
    if (until === null) return before;
    const bound = firstIdAt(new Date(until.getTime() + CLOCK_SLACK_MS));
    return before === null || bound < before ? bound : before;
  }

  /**
   * The oldest entry that this search examines, found with an index only; null if it reaches the end of the trail. A search
   * by a job examines changes of jobs alone: they have an index of their own (`audit_entries_job_listing`), and as there
   * are few of them, it reaches far back in a long trail.
   */
  private async floor(
    tenantId: TenantId | null,
    newest: string | null,
    isOfJob: boolean,
  ): Promise<{ id: string; at: Date } | null> {
    return await firstRow(
      this.database.reader,
      // With indexes only, except for one row: the others are just counted.
      tenantId === null
        ? `SELECT id, at FROM audit_entries WHERE id = (
             SELECT id FROM audit_entries WHERE ($1::uuid IS NULL OR id < $1) ORDER BY id DESC OFFSET $2 LIMIT 1)`
        : `SELECT id, at FROM audit_entries WHERE id = (
             SELECT id FROM audit_entries WHERE org_id = $3 AND ($1::uuid IS NULL OR id < $1)
             AND (NOT $4 OR action LIKE 'job%')
             ORDER BY id DESC OFFSET $2 LIMIT 1)`,
      tenantId === null ? [newest, LOOKED_AT] : [newest, LOOKED_AT, tenantId, isOfJob],
    );
  }

  private async actorsOf(actor: string): Promise<string[]> {
    if (!actor.includes('@')) return [actor];
    const accounts = await rows<{ id: string }>(
      this.database.reader,
      'SELECT id::text AS id FROM users WHERE email = $1 LIMIT $2',
      [actor.trim().toLowerCase(), MAX_ACCOUNTS],
    );
    return accounts.map(({ id }) => id);
  }
}
