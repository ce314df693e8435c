import { Client, PASSWORD, signUp } from '../../../support/client.js';
import type { Answer } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { RestartableRedis } from '../../support/restartable-redis.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { until } from '../../../support/until.js';
import { PROMPTLY_MS } from '../../promptly.js';
import { freshClientAddress, from, tally } from './callers.js';

const SIGN_IN = '/auth/v1/token?grant_type=password';
const WRONG = 'not the password of anyone';
/** A request that waits for Redis at each of its counts, one after the other. */

describe('an instance whose Redis', () => {
  let environment: TestEnvironment;
  let redis: RestartableRedis;
  let service: ServiceProcess;
  let url: string;

  beforeAll(async () => {
    [environment, redis] = await Promise.all([createEnvironment(), RestartableRedis.create()]);
    service = await ServiceProcess.start({
      ...environment.variables,
      ...redis.variables,
      SERVICE_ROLE: 'api',
      SERVICE_SERVER__TRUST_PROXY: '1',
      SERVICE_LIMITS__REQUESTS_PER_ADDRESS: '20',
    });
    url = service.url ?? '';
  });

  afterAll(async () => {
    await service.stop();
    await redis.dispose();
    await environment.dispose();
  });

  async function guess(email: string, address: string): Promise<Answer> {
    const before = performance.now();
    const answer = await from(url, address).post(SIGN_IN, { email, password: WRONG });
    expect(performance.now() - before).toBeLessThan(PROMPTLY_MS);
    return answer;
  }

  async function limitsHold(): Promise<void> {
    const { email } = await signUp(url);
    const address = freshClientAddress();
    const answers: Answer[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1) answers.push(await guess(email, address));
    expect(tally(answers)).toEqual({ '401 invalid_credentials': 10, '429 rate_limited': 2 });
    expect((await new Client(url).post(SIGN_IN, { email, password: PASSWORD })).status).toBe(200);
    const others = await Promise.all(Array.from({ length: 10 }, () => guess(`other-${email}`, address)));
    expect(tally(others)).toEqual({ '401 invalid_credentials': 8, '429 rate_limited': 2 });
  }

  it('was killed counts for itself, and answers in time', async () => {
    await redis.kill();
    await until(async () => {
      const { body } = await new Client(url).get<{ checks: { redis: string } }>('/health');
      return body.checks.redis === 'down';
    });
    await limitsHold();
    await redis.start();
  });

  it('does not answer counts for itself, and answers in time', async () => {
    redis.hang();
    try {
      await limitsHold();
    } finally {
      redis.goOn();
    }
  });
});
