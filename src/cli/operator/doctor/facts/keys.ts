import { CacheInvalidation } from '../../../../cache-invalidation/index.js';
import { SigningKeyRepository } from '../../../../identity/index.js';
import type { Config } from '../../../../platform/config/index.js';
import { KeyRing, UnsealError } from '../../../../platform/crypto/index.js';
import { rows } from '../../../../platform/database/index.js';
import type { Database, Reader } from '../../../../platform/database/index.js';
import { ProjectDirectory, ProjectKeys, ProjectRepository } from '../../../../projects/index.js';
import { SEALED_COLUMNS } from '../../sealed-columns.js';
import type { SealedColumn } from '../../sealed-columns.js';
import { judgeProjectKeys, judgeSigningKeys } from '../judgements/keys.js';
import type { SealedSample } from '../judgements/keys.js';
import type { Verdict } from '../finding.js';

/** Enough to meet a wrong key, or one that was left behind, without reading large tables. */
const SAMPLED = 50;

/** Tries to open some of the values of every sealed column. */
export async function sealedSamples({ reader }: Database, { identity }: Config): Promise<SealedSample[]> {
  const keyRing = new KeyRing([identity.dataKey ?? '', ...identity.dataKeyPrevious]);
  return await Promise.all(SEALED_COLUMNS.map((column) => sampleOf(reader, keyRing, column)));
}

async function sampleOf(reader: Reader, keyRing: KeyRing, target: SealedColumn): Promise<SealedSample> {
  const { table, column, idColumn, tenantColumn, associatedDataOf } = target;
  const values = await rows<{ id: string; tenant: string; sealed: Buffer }>(
    reader,
    `SELECT ${idColumn}::text AS id, ${tenantColumn === null ? `''` : `${tenantColumn}::text`} AS tenant, ${column} AS sealed
     FROM ${table} WHERE ${column} IS NOT NULL LIMIT ${SAMPLED}`,
  );
  const sample = { column: `${table}.${column}`, opened: 0, underUnknownKey: 0, altered: 0, toRewrite: 0 };
  const current = keyRing.currentPrefix;
  for (const { id, tenant, sealed } of values) {
    try {
      keyRing.open(sealed, associatedDataOf(tenant, id));
      sample.opened += 1;
      if (!sealed.subarray(0, current.length).equals(current)) sample.toRewrite += 1;
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      if (error.isOfUnknownKey) sample.underUnknownKey += 1;
      else sample.altered += 1;
    }
  }
  return sample;
}

/** The keys that sign access tokens: those of the deployment, or one of each project. */
export const SIGNERS: Readonly<
  Record<Config['identity']['profile'], (database: Database, config: Config) => Promise<Verdict>>
> = {
  async organization({ reader }, { identity }) {
    const repository = new SigningKeyRepository();
    const [keys, now] = await Promise.all([repository.inUse(reader), repository.now(reader)]);
    const plan = { rotationDays: identity.keyRotationDays, leadSecs: identity.keyPublishLeadSecs };
    return judgeSigningKeys(keys, now, plan);
  },

  async project(database, config) {
    const repository = new ProjectRepository();
    const changes = new CacheInvalidation(config);
    const keys = new ProjectKeys(
      config,
      changes,
      new ProjectDirectory(config, database, repository, changes),
    );
    const projects = await repository.list(database.reader, MAX_PROJECTS, null);
    const unreadable: string[] = [];
    for (const { ref } of projects) {
      try {
        await keys.of(ref);
      } catch {
        unreadable.push(ref);
      }
    }
    return judgeProjectKeys(projects.length, unreadable);
  },
};

const MAX_PROJECTS = 1_000;
