import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { runCli } from '../e2e/cli/run-cli.js';
import type { Deployment, Role } from '../faults/deployment.js';

export interface Scene {
  readonly deployment: Deployment;
  /** How long the load goes on beside it, in milliseconds. */
  readonly lastsMs: number;
  readonly say: (step: string) => void;
}

/** What an operator does to a deployment that serves. */
export interface Drill {
  /** Completes "Under load, …". */
  readonly does: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly perform: (scene: Scene) => Promise<void>;
  /** How many signing keys must have signed, so that the drill is known to have happened. */
  readonly leastSigningKeys?: number;
}

const SCALED_TO = 4;
const ROLES: readonly Role[] = ['api', 'worker', 'scheduler'];

const signingKeys: Drill = {
  does: 'the signing key is rotated twice by `servicectl keys rotate`',
  // So soon the next key signs; verifiers of the drill ask the program itself.
  variables: { SERVICE_IDENTITY__KEY_PUBLISH_LEAD_SECS: '1' },
  leastSigningKeys: 3,
  perform: async ({ deployment, lastsMs, say }) => {
    for (const turn of ['first', 'second']) {
      await wait(lastsMs / 3);
      say(`${turn} rotation`);
      await command(deployment, 'keys', 'rotate');
    }
    await wait(lastsMs / 3);
  },
};

const dataKey: Drill = {
  does: 'the data key is replaced: both keys, `servicectl rekey`, then the new one alone',
  perform: async ({ deployment, lastsMs, say }) => {
    await wait(lastsMs / 4);
    const former = deployment.commandVariables.SERVICE_IDENTITY__DATA_KEY ?? '';
    deployment.configure({
      SERVICE_IDENTITY__DATA_KEY: randomBytes(32).toString('base64'),
      SERVICE_IDENTITY__DATA_KEY_PREVIOUS: former,
    });
    say('restarting each instance with both keys');
    await deployment.roll();
    say('rekey');
    await command(deployment, 'rekey');
    deployment.configure({ SERVICE_IDENTITY__DATA_KEY_PREVIOUS: '' });
    say('restarting each instance with the new key');
    await deployment.roll();
    await wait(lastsMs / 4);
  },
};

const scale: Drill = {
  does: `every role goes from 1 instance to ${SCALED_TO} and back to 1`,
  perform: async ({ deployment, lastsMs, say }) => {
    await wait(lastsMs / 4);
    for (let count = 2; count <= SCALED_TO; count += 1) {
      say(`${count} instances of each role`);
      for (const role of ROLES) await deployment.add(role);
    }
    await wait(lastsMs / 4);
    for (let count = SCALED_TO - 1; count >= 1; count -= 1) {
      say(`${count} of each`);
      for (const role of ROLES) await retireOldest(deployment, role);
    }
    await wait(lastsMs / 4);
  },
};

const redis: Drill = {
  does: 'Redis is killed and comes back after three seconds with its data, then loses all of it',
  perform: async ({ deployment, lastsMs, say }) => {
    await wait(lastsMs / 3);
    say('Redis is gone');
    await deployment.redis.kill();
    await wait(3000);
    await deployment.redis.start();
    say('Redis is back');
    await wait(lastsMs / 3);
    say('Redis is emptied');
    await deployment.redis.flush();
    await wait(lastsMs / 3);
  },
};

export const DRILLS: Readonly<Record<string, Drill>> = {
  'signing-keys': signingKeys,
  'data-key': dataKey,
  scale,
  redis,
};

async function command(deployment: Deployment, ...args: string[]): Promise<void> {
  const { code, stderr } = await runCli(args, deployment.commandVariables);
  if (code !== 0) throw new Error(`servicectl ${args.join(' ')} ended with ${code}:\n${stderr}`);
}

async function retireOldest(deployment: Deployment, role: Role): Promise<void> {
  const [oldest] = deployment.of(role);
  if (oldest === undefined) return;
  const code = await deployment.retire(oldest);
  if (code !== 0) throw new Error(`${oldest.name} ended with ${code} on SIGTERM`);
}
