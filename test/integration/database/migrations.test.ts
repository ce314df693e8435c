import { DataSource } from 'typeorm';
import {
  Database,
  dataSourceOptions,
  migrate,
  migrationState,
} from '../../../src/platform/database/index.js';
import { SCHEMA, createDatabase, createEmptyDatabase } from '../../support/database.js';
import type { TestDatabase } from '../../support/database.js';

const LAYOUT = `
  SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') AS line
  FROM information_schema.columns WHERE table_schema = 'service'
  UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'service'
  UNION ALL SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
            WHERE connamespace = 'service'::regnamespace
  UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'service'::regnamespace
  ORDER BY 1`;

describe('migrations', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createDatabase();
    dataSource = new DataSource(dataSourceOptions({ url: database.url, schema: SCHEMA, poolSize: 2 }, []));
    await dataSource.initialize();
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  async function schema(): Promise<string[]> {
    return (await database.query<{ line: string }>(LAYOUT)).map(({ line }) => line);
  }

  it('can be taken back as far as the baseline, which says what to do instead, and make the same schema again', async () => {
    const before = await schema();
    expect(before.length).toBeGreaterThan(50);
    const later = dataSource.migrations.length - 1;
    for (let taken = 0; taken < later; taken += 1)
      await dataSource.undoLastMigration({ transaction: 'each' });
    await expect(dataSource.undoLastMigration({ transaction: 'each' })).rejects.toMatchObject({
      message: 'the baseline cannot be reverted: drop the schema instead',
    });
    expect(await dataSource.runMigrations({ transaction: 'each' })).toHaveLength(later);
    expect(await schema()).toEqual(before);
  });

  it('all wait in a database without the schema, in which the question changes nothing', async () => {
    const empty = await createEmptyDatabase();
    const opened = new DataSource(dataSourceOptions({ url: empty.url, schema: SCHEMA, poolSize: 1 }, []));
    try {
      await opened.initialize();
      const { reader } = new Database(opened);
      expect(await migrationState(reader, opened, SCHEMA)).toEqual({
        waitingMigrations: dataSource.migrations.length,
        unknownMigrations: [],
        isEmpty: true,
      });
      expect(await empty.query(`SELECT FROM pg_class WHERE relname = 'migrations'`)).toEqual([]);
    } finally {
      await opened.destroy();
      await empty.drop();
    }
  });

  it('run once where several instances start at the same time', async () => {
    const empty = await createEmptyDatabase();
    try {
      const ran = await Promise.all(
        Array.from({ length: 3 }, () => migrate({ url: empty.url, schema: SCHEMA })),
      );
      expect(ran.flat().sort()).toEqual(
        dataSource.migrations.map((migration) => migration.constructor.name).sort(),
      );
    } finally {
      await empty.drop();
    }
  });

  describe('of others', () => {
    const LISTED = 'SELECT name FROM migrations ORDER BY id';
    let others: TestDatabase;

    beforeEach(async () => {
      others = await createDatabase();
    });

    afterEach(async () => {
      await others.drop();
    });

    it('keep a schema of before the baseline as it is, and end the start with what to do', async () => {
      await others.query(
        `UPDATE migrations SET "timestamp" = 1763700000000, name = 'CreateAudit1763700000000'`,
      );
      await expect(migrate({ url: others.url, schema: SCHEMA })).rejects.toMatchObject({
        name: 'StartupError',
        exitCode: 78,
        message: expect.stringMatching(
          /begins with the migration CreateAudit1763700000000, so another program made it, or this program before its first release, and nothing upgrades it; set database\.url .* to an empty database, or database\.schema .* to another name$/,
        ) as unknown,
      });
      expect(await others.query(LISTED)).toEqual([{ name: 'CreateAudit1763700000000' }]);
    });

    it('of a newer release let an instance of this one start again', async () => {
      await others.query(
        `INSERT INTO migrations ("timestamp", name) VALUES (9000000000000, 'OfTomorrow9000000000000')`,
      );
      expect(await migrate({ url: others.url, schema: SCHEMA })).toEqual([]);
    });
  });
});
