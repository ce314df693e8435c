import { expect } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from './database.js';
import type { TestDatabase } from './database.js';
import { emptyRedisDatabase, startRedis } from './redis.js';
import type { TestRedis } from './redis.js';
import { profileVariables } from './profile.js';

export interface TestEnvironment {
  readonly database: TestDatabase;
  readonly redis: TestRedis;
  /** The variables that configure a deployment with its own servers. */
  readonly variables: Readonly<Record<string, string>>;
  /** Deploys a function: the source of an ES module with a default export. */
  deploy(name: string, source: string): Promise<void>;
  undeploy(name: string): Promise<void>;
  dispose(): Promise<void>;
}

/**
 * Overrides deadlines of the program that a busy machine would miss although nothing is wrong, and the intervals of
 * maintenance whose statements would be counted with those of a request. They apply in the gate. A suite that tests a
 * short interval sets it back, and the slow lane uses the program's own.
 */
export const PATIENT_DEADLINES = JSON.parse(
  readFileSync(new URL('patient-deadlines.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, string>>;

/** The options of a program, besides its servers and its functions. */
export function programVariables(): Record<string, string> {
  return {
    SERVICE_SERVER__HOST: '127.0.0.1',
    SERVICE_SERVER__PORT: '0',
    SERVICE_IDENTITY__DATA_KEY: randomBytes(32).toString('base64'),
    // The minimum. The cost of a hash is tested elsewhere.
    SERVICE_IDENTITY__ARGON2_MEMORY_KIB: '8192',
    SERVICE_IDENTITY__ARGON2_TIME_COST: '1',
    ...(expect.getState().testPath?.includes('/test/slow/') === true ? {} : PATIENT_DEADLINES),
  };
}

/**
 * A database, a database of Redis and a functions folder of the suite's own. With `redis: 'server'` it gets a whole
 * Redis server: for suites that count its commands, stop it, or change its settings.
 */
export async function createEnvironment({
  redis: kind = 'database',
}: { redis?: 'database' | 'server' } = {}): Promise<TestEnvironment> {
  const [database, redis, functions] = await Promise.all([
    createDatabase(),
    kind === 'server' ? startRedis() : emptyRedisDatabase(),
    mkdtemp(join(tmpdir(), 'service-functions-')),
  ]);
  return {
    database,
    redis,
    variables: {
      SERVICE_DATABASE__URL: database.url,
      SERVICE_REDIS__URL: redis.url,
      ...programVariables(),
      SERVICE_FUNCTIONS__DIR: functions,
      ...profileVariables(),
    },
    deploy: (name, source) => writeFile(join(functions, `${name}.mjs`), source),
    undeploy: (name) => rm(join(functions, `${name}.mjs`)),
    dispose: async () => {
      await Promise.all([database.drop(), redis.stop(), rm(functions, { recursive: true, force: true })]);
    },
  };
}
