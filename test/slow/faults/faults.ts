import { setTimeout as wait } from 'node:timers/promises';
import { until } from '../../support/until.js';
import type { Deployment, Instance, Role } from './deployment.js';
import type { CallInWork, RecordingHandlers } from './recording-handlers.js';
import type { SeededRandom } from './seeded-random.js';

export interface FaultScene {
  readonly deployment: Deployment;
  readonly handlers: RecordingHandlers;
  readonly random: SeededRandom;
}

/** Something that goes wrong, and is as before when `strike` resolves. */
export interface Fault {
  readonly name: string;
  readonly strike: (scene: FaultScene) => Promise<void>;
}

/** Dead workers are noticed within 15 s; some for a database that is away meanwhile. */
const TAKEN_WITHIN_MS = 30_000;
/** So long a fault waits for the moment in which it hurts. */
const AT_WORK_WITHIN_MS = 30_000;
const CUTS = 5;

/** A worker that is in calls. */
async function workerInFlight({ deployment, handlers, random }: FaultScene): Promise<Instance> {
  const worker = random.oneOf(deployment.of('worker'));
  await until(
    () => handlers.inCallOf(worker.name).length > 0,
    AT_WORK_WITHIN_MS,
    () => `${worker.name} is in no call. ${deployment.fallen.join('\n')}`,
  );
  return worker;
}

function killed(role: Role): Fault {
  return {
    name: `kill -9 of a ${role}`,
    strike: async (scene) => {
      const { deployment, random } = scene;
      const instance = role === 'worker' ? await workerInFlight(scene) : random.oneOf(deployment.of(role));
      await deployment.replace(instance);
    },
  };
}

/** Until its runs are someone else's, which is longer than it may be silent. */
const workerStopped: Fault = {
  name: 'SIGSTOP of a worker',
  strike: async (scene) => {
    const { postgres } = scene.deployment;
    const { worker, held } = await stopAtWork(scene);
    try {
      await until(async () => {
        const notTaken = await postgres.query(
          `SELECT FROM unnest($1::text[], $2::int[]) AS held (run_id, number) JOIN attempts_of_runs USING (run_id, number)
           WHERE completed_at IS NULL`,
          [held.map(({ runId }) => runId), held.map(({ attempt }) => attempt)],
        );
        return notTaken.length === 0;
      }, TAKEN_WITHIN_MS);
    } finally {
      worker.process.signal('SIGCONT');
    }
  },
};

/** A worker that stands still in the middle of calls: a call may end before the signal is there. */
async function stopAtWork(scene: FaultScene): Promise<{ worker: Instance; held: readonly CallInWork[] }> {
  for (;;) {
    const worker = await workerInFlight(scene);
    worker.process.signal('SIGSTOP');
    const held = scene.handlers.inCallOf(worker.name);
    if (held.length > 0) return { worker, held };
    worker.process.signal('SIGCONT');
  }
}

/** Those of processes and those of servers: one of each may befall a deployment at one time. */
export const PROCESS_FAULTS: readonly Fault[] = [
  killed('api'),
  killed('worker'),
  killed('scheduler'),
  workerStopped,
];

const redisRestarted: Fault = {
  name: 'Redis restart',
  strike: async ({ deployment: { redis }, random }) => {
    await redis.kill();
    await wait(random.between(0, 2000));
    await redis.start();
  },
};

const redisHung: Fault = {
  name: 'Redis hang',
  strike: async ({ deployment: { redis }, random }) => {
    redis.hang();
    await wait(random.between(500, 4000));
    redis.goOn();
  },
};

const redisEmptied: Fault = { name: 'FLUSHALL', strike: ({ deployment: { redis } }) => redis.flush() };

const backendsTerminated: Fault = {
  name: 'backends terminated',
  strike: async ({ deployment: { postgres }, random }) => {
    for (let cut = 1; cut <= CUTS; cut += 1) {
      await postgres.terminateBackends();
      await wait(random.between(0, 300));
    }
  },
};

function postgresEnded(name: string, signal: 'SIGINT' | 'SIGQUIT'): Fault {
  return { name, strike: ({ deployment: { postgres } }) => postgres.restart(signal) };
}

export const SERVER_FAULTS: readonly Fault[] = [
  redisRestarted,
  redisEmptied,
  postgresEnded('Postgres restart', 'SIGINT'),
  backendsTerminated,
];

/** What a long run has beside these. */
export const RARER_SERVER_FAULTS: readonly Fault[] = [postgresEnded('Postgres crash', 'SIGQUIT'), redisHung];
