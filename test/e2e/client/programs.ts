import { PASSWORD } from '../../support/client.js';

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
import { createClient, ServiceError, type Run } from '@service/client';
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
export const caller: Promise<VerifiedCaller> = createVerifier({ url: 'https://id.example.com' }).requireUser({});
`;
