import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Client, PASSWORD, signUp } from '../../support/client.js';
import type { Answer } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';
import { PROMPTLY_MS } from '../promptly.js';

const SIGN_INS = 200;
/** By default a hash for each core, and this many that wait. */
const CONCURRENCY = availableParallelism();
const QUEUE = 64;
const HASH_MIB = 64;
/**
 * The hashes at work and nothing that grows with the number of callers, beside the program itself; 200 hashes at
 * one time would take 12,800 MiB.
 */
const BOUND_MIB = CONCURRENCY * HASH_MIB + 210;

/** The most that the process ever had resident, in MiB. */
async function peakMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

describe('two hundred simultaneous sign-ins', () => {
  it('are answered or refused with Retry-After, within bounded memory, while the process stays live', async () => {
    const environment = await createEnvironment();
    const service = await ServiceProcess.start({
      ...environment.variables,
      SERVICE_ROLE: 'api',
      SERVICE_IDENTITY__ARGON2_MEMORY_KIB: '65536',
      SERVICE_IDENTITY__ARGON2_TIME_COST: '3',
    });
    try {
      const url = service.url ?? '';
      const client = new Client(url);
      const { email } = await signUp(url);
      let answered = 0;
      const signIn = async (): Promise<Answer<{ error?: { code: string } }>> => {
        const answer = await client.post('/auth/v1/token?grant_type=password', { email, password: PASSWORD });
        answered += 1;
        return answer;
      };
      const signIns = Promise.all(Array.from({ length: SIGN_INS }, signIn));
      const liveMs: number[] = [];
      await until(async () => {
        const before = performance.now();
        expect((await client.get('/health/live')).status).toBe(200);
        liveMs.push(performance.now() - before);
        return answered === SIGN_INS;
      }, 150_000);
      const answers = await signIns;
      expect(Math.max(...liveMs)).toBeLessThan(PROMPTLY_MS);
      const refused = answers.filter(({ status }) => status === 503);
      const accepted = answers.filter(({ status }) => status === 200);
      expect(accepted.length + refused.length).toBe(SIGN_INS);
      expect(accepted.length).toBeGreaterThanOrEqual(CONCURRENCY + QUEUE);
      expect(refused.length).toBeGreaterThan(0);
      for (const { headers, body } of refused) {
        expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
        expect(body.error?.code).toBe('overloaded');
      }
      expect(await peakMiB(service.pid)).toBeLessThan(BOUND_MIB);
      expect(
        (await client.post('/auth/v1/token?grant_type=password', { email, password: PASSWORD })).status,
      ).toBe(200);
    } finally {
      await service.stop();
      await environment.dispose();
    }
  });
});
