import { DataSource } from 'typeorm';
import '../../src/identity/index.js';
import '../../src/jobs/index.js';
import { dataSourceOptions, preparedStatements } from '../../src/platform/database/index.js';
import { createEnvironment } from './environment.js';

/** The statements that the program prepares on each connection. */
export const HOT_STATEMENTS = [...preparedStatements()].map(([name, text]) => ({ name, text }));

/** One connection to a database of the suite's own, so that prepared statements persist. */
export class HotStatements {
  private constructor(
    readonly dataSource: DataSource,
    readonly stop: () => Promise<void>,
  ) {}

  static async connect(): Promise<HotStatements> {
    const environment = await createEnvironment();
    const options = dataSourceOptions({ url: environment.database.url, schema: 'service', poolSize: 1 }, []);
    const dataSource = await new DataSource(options).initialize();
    return new HotStatements(dataSource, async () => {
      await dataSource.destroy();
      await environment.dispose();
    });
  }

  /** The types of a statement's parameters. */
  async parameterTypes(text: string): Promise<string[]> {
    await this.dataSource.query(`PREPARE typed AS ${text}`);
    const [statement] = await this.dataSource.query<{ types: string[] }[]>(
      `SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = 'typed'`,
    );
    await this.dataSource.query('DEALLOCATE typed');
    return statement?.types ?? [];
  }

  /** The generic plan: lines, or nodes with `FORMAT JSON`. */
  async genericPlan<Row>(text: string, options = ''): Promise<Row[]> {
    const parameters = (await this.parameterTypes(text)).map(() => 'NULL').join();
    await this.dataSource.query(`SET plan_cache_mode = 'force_generic_plan'; PREPARE planned AS ${text}`);
    const plan = await this.dataSource.query<{ 'QUERY PLAN': Row }[]>(
      `EXPLAIN ${options} EXECUTE planned (${parameters})`,
    );
    await this.dataSource.query('RESET plan_cache_mode; DEALLOCATE planned');
    return plan.map((line) => line['QUERY PLAN']);
  }
}
