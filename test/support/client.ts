import { randomBytes } from 'node:crypto';
import { fetch } from './fetch.js';
import { isInProjects, OPERATOR_TOKEN } from './profile.js';
import { recordSecretsOf, recordSecretsOfHeaders } from './secrets/secret-journal.js';

/** A response with its body as JSON, or null if it has none. */
export interface Answer<Body = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export const PASSWORD = 'correct horse battery staple';

/** Calls the program over HTTP, always as the same caller. */
export class Client {
  constructor(
    readonly url: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  /** The same program, called with additional headers. */
  with(headers: Readonly<Record<string, string>>): Client {
    return new Client(this.url, { ...this.headers, ...headers });
  }

  /** The same caller at another instance. */
  at(url: string): Client {
    return new Client(url, this.headers);
  }

  as(accessToken: string): Client {
    return this.with({ authorization: `Bearer ${accessToken}` });
  }

  in(org: string): Client {
    return this.with({ 'x-service-org': org });
  }

  async get<Body = Record<string, unknown>>(path: string): Promise<Answer<Body>> {
    return await this.send<Body>('GET', path);
  }

  async post<Body = Record<string, unknown>>(path: string, body: unknown = {}): Promise<Answer<Body>> {
    return await this.send<Body>('POST', path, body);
  }

  async send<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Answer<Body>> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...this.headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    const answered: unknown = isJson && text !== '' ? JSON.parse(text) : text || null;
    recordSecretsOfHeaders(this.headers);
    recordSecretsOf(body);
    recordSecretsOf(answered);
    return { status: response.status, headers: response.headers, body: answered as Body };
  }
}

export interface SignedUp {
  readonly email: string;
  readonly userId: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** The program, called as this user. */
  readonly client: Client;
}

/** A new account that is signed in. */
export async function signUp(
  url: string,
  email = `${randomBytes(6).toString('hex')}@example.com`,
): Promise<SignedUp> {
  const anonymous = new Client(url);
  const answer = await anonymous.post<{
    user: { id: string };
    session: { access_token: string; refresh_token: string };
  }>('/auth/v1/signup', { email, password: PASSWORD });
  if (answer.status !== 201)
    throw new Error(`sign-up answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  const { user, session } = answer.body;
  return {
    email,
    userId: user.id,
    accessToken: session.access_token,
    refreshToken: session.refresh_token,
    client: anonymous.as(session.access_token),
  };
}

/**
 * A new account that owns a new organization and calls the program in it. If the suite runs in projects: a new project,
 * with its service key for the owner.
 */
export async function signUpOwner(url: string): Promise<SignedUp & { orgId: string; slug: string }> {
  if (isInProjects) return await ownerOfProject(url);
  const owner = await signUp(url);
  const slug = `org-${randomBytes(6).toString('hex')}`;
  const created = await owner.client.post<{ id: string }>('/auth/v1/orgs', { slug, name: 'An organization' });
  if (created.status !== 201) throw new Error(`creating an organization answered ${created.status}`);
  return { ...owner, orgId: created.body.id, slug, client: owner.client.in(slug) };
}

/** Deletes the organization or project, as someone who may. @returns the status of the response */
export async function deleteTenant(owner: { client: Client; slug: string }): Promise<number> {
  const { client, slug } = owner;
  const { status } = isInProjects
    ? await new Client(client.url).as(OPERATOR_TOKEN).send('DELETE', `/admin/v1/projects/${slug}`)
    : await client.send('DELETE', `/auth/v1/orgs/${slug}`);
  return status;
}

async function ownerOfProject(url: string): Promise<SignedUp & { orgId: string; slug: string }> {
  const slug = `p-${randomBytes(6).toString('hex')}`;
  const operator = new Client(url).as(OPERATOR_TOKEN);
  const { status, body } = await operator.post<{ id: string; service_key: string }>('/admin/v1/projects', {
    ref: slug,
    name: 'A project',
  });
  if (status !== 201) throw new Error(`creating a project answered ${status}: ${JSON.stringify(body)}`);
  const { id, service_key: key } = body;
  const [, claims = ''] = key.split('.');
  // The audit trail names the key by its `jti`.
  const { jti } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { jti: string };
  const owner = { email: '', userId: jti, accessToken: key, refreshToken: '' };
  return { ...owner, client: new Client(url).as(key), orgId: id, slug };
}

export interface RunBody {
  id: string;
  job_id: string;
  status: string;
  actor: string;
  attempt: number;
  max_attempts: number;
  due_at: string | null;
  created_at: string;
  duration_ms: number | null;
  retry_of?: string;
  parent_run_id?: string;
  payload: unknown;
  result: unknown;
  error?: { code: string; message: string };
  attempts: {
    number: number;
    started_at: string;
    completed_at: string | null;
    outcome: string | null;
    status_code: number | null;
    error: string | null;
  }[];
}
