import { MeteredService } from '../../e2e/stalls/metered-service.js';
import { signUpOwner } from '../../../support/client.js';
import type { Client, RunBody } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { endedRun, registerJobs, trigger } from '../../../support/runs.js';

const MIB = 1024 * 1024;
/** Processor time. Other requests may hold the event loop for 50 ms, and garbage is collected besides. */
const MOST_MS = 150;
/** A gigabyte comes through; so much garbage may wait to be collected. */
const MOST_MORE_MEMORY = 256 * MIB;

/** Writes 100 MiB, whatever the descriptor, and waits while its reader does not read. */
const PROLOGUE = `
  import { writeSync } from 'node:fs';
  const pause = new Int32Array(new SharedArrayBuffer(4));
  function write(fd, bytes) {
    for (let at = 0; at < bytes.length; ) {
      try {
        at += writeSync(fd, bytes, at);
      } catch (error) {
        if (error.code !== 'EAGAIN') throw error;
        Atomics.wait(pause, 0, 0, 1);
      }
    }
  }
  function frame(message) {
    const text = Buffer.from(JSON.stringify(message));
    const head = Buffer.alloc(8);
    head.writeUInt32BE(text.length, 0);
    return Buffer.concat([head, text]);
  }
  function flood(fd, piece) {
    const bytes = Buffer.concat(Array(Math.ceil(${MIB} / piece.length)).fill(piece));
    for (let written = 0; written < 100; written += 1) write(fd, bytes);
  }
`;

const LINE = "{ type: 'line', line: { call: null, level: 'info', message: 'x'.repeat(30_000), at: 1 } }";
const DROPPED = /"msg":"\d+ lines dropped: the function writes faster than lines are kept"/;
const CUT = /"msg":"x+ … \(cut, the line goes on\)"/;
const BROKEN = /"msg":"function broke the protocol between its process and the program"/;

describe('a function that writes 100 MiB', () => {
  let environment: TestEnvironment;
  let service: MeteredService;
  let flooder: Client;
  let neighbour: Client;

  beforeAll(async () => {
    environment = await createEnvironment();
    await environment.deploy('sound', 'export default () => Response.json({ sound: true })');
    service = await MeteredService.start({
      ...environment.variables,
      SERVICE_JOBS__WORKER_COUNT: '4',
      SERVICE_LOG__FORMAT: 'json',
    });
    flooder = (await signUpOwner(service.url)).client;
    neighbour = (await signUpOwner(service.url)).client;
    for (const client of [flooder, neighbour]) {
      await registerJobs(client, { sound: {} });
      await run(client, 'sound');
    }
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  async function run(client: Client, jobId: string): Promise<RunBody> {
    return await endedRun(client, (await trigger(client, jobId)).id, 20_000);
  }

  async function memory(): Promise<number> {
    const { body } = await neighbour.get<string>('/metrics');
    return Number(/^process_resident_memory_bytes (\d+)$/m.exec(body)?.[1]);
  }

  it.each([
    ['of short lines to standard output', "flood(1, Buffer.from('x\\n'));", 'completed', DROPPED],
    ['of one line to standard output', "flood(1, Buffer.from('x'.repeat(1000)));", 'completed', CUT],
    [
      'by process.stdout in lines',
      "for (let written = 0; written < 100; written += 1) process.stdout.write('x\\n'.repeat(524_288));",
      'completed',
      DROPPED,
    ],
    [
      'by process.stdout in one line',
      "for (let written = 0; written < 100; written += 1) process.stdout.write('x'.repeat(1_048_576));",
      'completed',
      /"msg":"x+ … \(cut, 1048576 bytes in all\)"/,
    ],
    ['of lines to the channel', `flood(3, frame(${LINE}));`, 'completed', DROPPED],
    ['of nothing in particular to the channel', 'flood(3, Buffer.alloc(1000, 120));', 'failed', BROKEN],
    ['of answers to no ping to the channel', "flood(3, frame({ type: 'pong' }));", 'failed', BROKEN],
    [
      'of answers to no call to the channel',
      "flood(3, frame({ type: 'end', call: 'none' }));",
      'failed',
      BROKEN,
    ],
  ])(
    '%s is cut, and the runs of others proceed beside it',
    async (_kind, code, status, cut) => {
      const source = `${PROLOGUE}\nexport default () => { ${code} return Response.json({}); };`;
      await environment.deploy('flood', source);
      await registerJobs(flooder, { flood: { timeout_ms: 60_000 } });
      const [before, logged] = [await memory(), service.logLength];
      let most = before;
      let flooded: RunBody | null = null;
      const longest = await service.longestTurn(async () => {
        const { id } = await trigger(flooder, 'flood');
        const flood = endedRun(flooder, id, 90_000).then((ended) => (flooded = ended));
        // At least so many, and while it writes.
        for (let count = 0; count < 5 || flooded === null; count += 1) {
          expect(await run(neighbour, 'sound')).toMatchObject({ status: 'completed', attempt: 1 });
          most = Math.max(most, await memory());
        }
        await flood;
      });
      expect(flooded).toMatchObject({ status });
      await service.loggedSince(logged, cut);
      expect(longest).toBeLessThan(MOST_MS);
      expect(most - before).toBeLessThan(MOST_MORE_MEMORY);
    },
    120_000,
  );
});
