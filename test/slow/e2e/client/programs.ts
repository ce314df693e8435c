import { PASSWORD } from '../../../support/client.js';

/** A handler. */
export const GREET = `export default async (request) => {
  const { name } = await request.json();
  console.log('greeting ' + name);
  return Response.json({ ok: true, greeting: 'Hello, ' + name + '!' });
}`;

/** The same steps in each kind of module: by the service's address, an e-mail address and a slug. */
export const WALK = `
  const client = createClient({ url: process.argv[2] });
  const email = process.argv[3];
  await client.auth.signUp({ email, password: '${PASSWORD}' });
  const { slug } = await client.orgs.create({ slug: process.argv[4], name: 'Walk' });
  const inside = client.inOrg(slug);
  await inside.jobs.register([{ id: 'greet', name: 'Greet', handler: 'greet' }]);
  const run = await inside.jobs.trigger('greet', { name: 'Ada' });
  const ended = await inside.runs.wait(run.id);
  const refused = await inside.jobs.get('none').catch((error) => error);
  console.log(JSON.stringify({
    status: ended.status,
    result: ended.result,
    refusal: [refused instanceof ServiceError, refused.code, refused.status],
    verify: [typeof createVerifier, typeof verifyHandlerCall],
  }));`;

export const WALKED = {
  status: 'completed',
  result: { ok: true, greeting: 'Hello, Ada!' },
  refusal: [true, 'job_not_found', 404],
  verify: ['function', 'function'],
};

/** Types as a user has them: what is right passes, what is wrong does not. */
export const TYPED = `
import { createClient, ServiceError, type KnownErrorCode, type Run } from '@service/client';
import { createVerifier, type VerifiedCaller } from '@service/client/verify';

const client = createClient({ url: 'https://id.example.com', org: 'acme' });
export async function walk(signal: AbortSignal): Promise<Run[]> {
  const { user } = await client.auth.signIn({ email: 'ada@example.com', password: 'secret' }, { signal });
  const verified: boolean = user.email_verified;
  const status: Run['status'] = (await client.jobs.trigger('greet', { verified })).status;
  if (status === 'failed') return [];
  // @ts-expect-error no such status
  client.runs.list({ status: 'lost' });
  // @ts-expect-error a job has an id
  await client.jobs.register([{ name: 'Greet', handler: 'greet' }]);
  for await (const line of client.logs.follow({ signal })) if (line.level === 'error') break;
  return await client.runs.list({ limit: 5 }).all();
}
export const codeOf = (error: unknown): string => (error instanceof ServiceError ? error.code : '');
export const known: KnownErrorCode[] = ['job_not_found', 'network_error'];
// @ts-expect-error no such code
export const unknownCode: KnownErrorCode = 'job_lost';
export const isNew = (error: ServiceError): boolean => error.code === 'a_code_of_a_newer_service';

interface Order { number: string; lines: { article: string; count?: number }[] }
interface MyJobs {
  greet: { payload: { name: string }; result: { greeting: string } };
  charge: { payload: Order };
  nightly: { payload?: { day: string }; result: number };
  sweep: {};
}

export async function untyped(order: Order): Promise<unknown> {
  await client.jobs.trigger<Order>('charge', order, { delayMs: 5 });
  await client.jobs.trigger('any', order);
  // @ts-expect-error a payload is an object
  await client.jobs.trigger('any', 'text');
  return (await client.runs.wait('run_1')).result;
}

export async function typed(order: Order): Promise<string> {
  const jobs = createClient<MyJobs>({ url: 'https://id.example.com' });
  const run = await jobs.inOrg('acme').jobs.trigger('greet', { name: 'Ada' }, { idempotencyKey: 'greet-ada' });
  await jobs.jobs.trigger('charge', order);
  await jobs.jobs.trigger('nightly');
  await jobs.jobs.trigger('nightly', { day: '2026-01-01' });
  await jobs.jobs.trigger('sweep');
  // @ts-expect-error no such job
  await jobs.jobs.trigger('greed', { name: 'Ada' });
  // @ts-expect-error the payload is missing
  await jobs.jobs.trigger('greet');
  // @ts-expect-error the payload has another type
  await jobs.jobs.trigger('greet', { name: 5 });
  // @ts-expect-error the payload has more fields
  await jobs.jobs.trigger('greet', { name: 'Ada', age: 36 });
  const count: unknown = (await jobs.runs.get('run_1')).result;
  const ended = await jobs.runs.wait(run.id);
  const id: string = ended.id;
  // @ts-expect-error a run that failed has no result
  ended.result.greeting;
  return ended.status === 'completed' ? ended.result.greeting : String([count, id, ended.result]);
}

// @ts-expect-error a payload is an object
createClient<{ greet: { payload: string } }>({ url: 'https://id.example.com' });
export const inProject: Promise<Run> = createClient<MyJobs>({
  url: 'https://id.example.com',
  apikey: 'key',
}).jobs.trigger('greet', { name: 'Ada' });
export const caller: Promise<VerifiedCaller> = createVerifier({ url: 'https://id.example.com' }).requireUser({});
`;
