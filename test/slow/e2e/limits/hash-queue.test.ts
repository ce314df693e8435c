import { PASSWORD, signUp } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { codeOf, freshClientAddress, from } from './callers.js';

const SIGN_IN = '/auth/v1/token?grant_type=password';
const CONNECTIONS = 80;
const SIGN_INS = 12;

test('80 connections of wrong passwords from one address do not keep anybody else from signing in', async () => {
  const environment = await createEnvironment();
  const service = await ServiceProcess.start({
    ...environment.variables,
    SERVICE_ROLE: 'api',
    SERVICE_SERVER__TRUST_PROXY: '1',
    // The queue is what is left to protect: nothing else keeps the flood off.
    SERVICE_LIMITS__REQUESTS_PER_ADDRESS: '0',
    SERVICE_LIMITS__SIGN_IN_FAILURES_PER_ACCOUNT: '0',
    SERVICE_LIMITS__SIGN_IN_FAILURES_PER_ACCOUNT_HOURLY: '0',
    SERVICE_IDENTITY__HASH_CONCURRENCY: '1',
    SERVICE_IDENTITY__HASH_QUEUE_LIMIT: '40',
  });
  const url = service.url ?? '';
  try {
    const { email } = await signUp(url);
    const flooder = from(url, freshClientAddress());
    const refused = new Set<string>();
    let isOver = false;
    const floods = Array.from({ length: CONNECTIONS }, async (_, number) => {
      while (!isOver) {
        const body = { email: `victim-${number}@example.com`, password: 'a guess of many' };
        refused.add(codeOf(await flooder.post(SIGN_IN, body)));
      }
    });
    const user = from(url, freshClientAddress());
    const answers: string[] = [];
    for (let time = 0; time < SIGN_INS; time += 1)
      answers.push(codeOf(await user.post(SIGN_IN, { email, password: PASSWORD })));
    isOver = true;
    await Promise.all(floods);
    expect(answers).toEqual(Array.from({ length: SIGN_INS }, () => '200 ok'));
    // The flood did fill the queue.
    expect([...refused].sort()).toEqual(['401 invalid_credentials', '503 overloaded']);
  } finally {
    await service.stop();
    await environment.dispose();
  }
});
