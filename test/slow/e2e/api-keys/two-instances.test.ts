import { makeKey } from '../../../support/api-keys.js';
import { Client, signUpOwner } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { until } from '../../../support/until.js';
import { PROMPTLY_MS } from '../../promptly.js';

describe('an API key on two instances', () => {
  let environment: TestEnvironment;
  let instances: ServiceProcess[] = [];
  let one: string;
  let other: string;

  beforeAll(async () => {
    environment = await createEnvironment();
    const variables = { ...environment.variables, SERVICE_ROLE: 'api', SERVICE_LOG__LEVEL: 'debug' };
    instances = await Promise.all([ServiceProcess.start(variables), ServiceProcess.start(variables)]);
    [one = '', other = ''] = instances.map(({ url }) => url ?? '');
  });

  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.stop()));
    await environment.dispose();
  });

  it('works on the other one as soon as it is made', async () => {
    const owner = await signUpOwner(one);
    const { key } = await makeKey(owner.client, owner.orgId, ['data:orders:read']);
    expect((await new Client(other).as(key).get('/auth/v1/gate?permission=data:orders:read')).status).toBe(
      204,
    );
  });

  it('is dead on the other within a second of its revocation, although warm there', async () => {
    const owner = await signUpOwner(one);
    for (let round = 0; round < 5; round += 1) {
      const { id, key } = await makeKey(owner.client, owner.orgId, ['data:orders:read']);
      const clients = [one, other].map((url) => new Client(url).with({ 'x-api-key': key }));
      for (const client of clients) expect((await client.get('/auth/v1/permissions')).status).toBe(200);
      expect((await owner.client.send('DELETE', `/auth/v1/orgs/${owner.slug}/api-keys/${id}`)).status).toBe(
        204,
      );
      const revokedAt = Date.now();
      for (const client of clients) {
        await until(async () => (await client.get('/auth/v1/permissions')).status === 401, PROMPTLY_MS);
      }
      expect(Date.now() - revokedAt).toBeLessThan(PROMPTLY_MS);
    }
  });

  it('used on both at once has its last use written once in the minute', async () => {
    const owner = await signUpOwner(one);
    const { id, key } = await makeKey(owner.client, owner.orgId, ['data:orders:read']);
    await environment.database.query(`
      CREATE TABLE public.uses_written (key_id text NOT NULL);
      CREATE FUNCTION count_use() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO public.uses_written VALUES (NEW.id); RETURN NULL; END $$;
      CREATE TRIGGER count_uses AFTER UPDATE OF last_used_at ON api_keys
      FOR EACH ROW EXECUTE FUNCTION count_use()`);
    const clients = [one, other].map((url) => new Client(url).as(key));
    const stopAt = Date.now() + 2000;
    await until(async () => {
      const answers = await Promise.all(clients.map((client) => client.get('/auth/v1/permissions')));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      return Date.now() > stopAt;
    });
    const written = await environment.database.query('SELECT FROM uses_written WHERE key_id = $1', [id]);
    expect(written).toHaveLength(1);
  });

  it('is in no log line of either, however it was presented', async () => {
    const owner = await signUpOwner(one);
    const { id, key } = await makeKey(owner.client, owner.orgId, ['data:orders:read']);
    const altered = key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
    for (const url of [one, other]) {
      for (const presented of [key, altered]) {
        await new Client(url).as(presented).get('/auth/v1/permissions');
        await new Client(url).with({ 'x-api-key': presented }).get('/auth/v1/permissions');
      }
    }
    const secret = key.slice(`svc_${id}_`.length, -6);
    await until(() => instances.every(({ log }) => log.includes('/auth/v1/permissions')));
    for (const { log } of instances) expect(log.includes(secret)).toBe(false);
  });
});
