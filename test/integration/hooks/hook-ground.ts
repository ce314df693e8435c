import { createHmac, randomBytes } from 'node:crypto';
import { signUpOwner } from '../../support/client.js';
import type { Answer, Client } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { fetch } from '../../support/fetch.js';
import { HandlerServer } from '../../support/handler-server.js';
import { addressOf } from '../../support/profile.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';

export const SECRET = 'the secret of the webhook';
export const FALLBACK = 'the secret of the deployment';

export function hexOf(body: string | Buffer, secret = SECRET, algorithm = 'sha256'): string {
  return createHmac(algorithm, secret).update(body).digest('hex');
}

export interface HookAnswer {
  readonly status: number;
  readonly code: string | undefined;
  readonly runId: string;
  readonly headers: Headers;
  readonly text: string;
}

/** An organization with a secret, and whatever hooks a test gives its jobs. */
export class HookGround {
  private constructor(
    readonly environment: TestEnvironment,
    readonly handlers: HandlerServer,
    readonly service: ServiceInProcess,
    readonly client: Client,
    readonly orgId: string,
    readonly slug: string,
  ) {}

  static async prepare(more: Record<string, string> = {}): Promise<HookGround> {
    const [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    const variables: Record<string, string> = { ...environment.variables, ...handlers.variables, ...more };
    // A function's process needs the build; a handler elsewhere does here.
    delete variables.SERVICE_FUNCTIONS__DIR;
    const service = await ServiceInProcess.start(variables);
    const { client, orgId, slug } = await signUpOwner(service.url);
    const ground = new HookGround(environment, handlers, service, client, orgId, slug);
    await ground.setSecret('hook', SECRET);
    return ground;
  }

  async setSecret(path: string, value: string): Promise<void> {
    const { status } = await this.client.send('PUT', `/vault/v1/secrets/${path}`, { value });
    if (status !== 204) throw new Error(`setting a secret answered ${status}`);
  }

  /** Registers a job with one hook of a new name, and gives that. */
  async hook(
    verify: Record<string, unknown> = {},
    trigger: Record<string, unknown> = {},
    job: Record<string, unknown> = {},
  ): Promise<string> {
    const name = `h-${randomBytes(6).toString('hex')}`;
    const triggers = [webhook(name, verify, trigger)];
    const answer = await this.register([{ id: name, name, handler: 'hooked', triggers, ...job }]);
    if (answer.status !== 200)
      throw new Error(`registering answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return name;
  }

  async register(jobs: unknown[], client = this.client): Promise<Answer> {
    return await client.post('/jobs/v1/jobs', { jobs });
  }

  async call(
    name: string,
    headers: Record<string, string>,
    body?: string | Buffer,
    method = 'POST',
  ): Promise<HookAnswer> {
    const response = await fetch(`${this.service.url}/jobs/v1/hooks/${name}`, {
      method,
      headers: { ...addressOf(this.slug), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    });
    const text = await response.text();
    const parsed = (text === '' ? {} : JSON.parse(text)) as { run_id?: string; error?: { code: string } };
    const { status, headers: answered } = response;
    return { status, code: parsed.error?.code, runId: parsed.run_id ?? '', headers: answered, text };
  }

  /** Calls a plain hook with a good signature. */
  async callSigned(name: string, body: string, more: Record<string, string> = {}): Promise<HookAnswer> {
    return await this.call(
      name,
      { 'x-signature': hexOf(body), 'content-type': 'application/json', ...more },
      body,
    );
  }

  /** The body that the handler got for a run. */
  async bodyOf(runId: string): Promise<string> {
    await until(() => this.handlers.callsOf(runId).length > 0);
    return this.handlers.callsOf(runId)[0]?.body ?? '';
  }

  async runsOf(jobId: string): Promise<string[]> {
    const found = await this.environment.database.query<{ id: string }>(
      'SELECT id FROM runs WHERE job_id = $1 ORDER BY id',
      [jobId],
    );
    return found.map(({ id }) => id);
  }

  async dispose(): Promise<void> {
    await this.service.stop();
    await this.handlers.stop();
    await this.environment.dispose();
  }
}

export function webhook(
  name: string,
  verify: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  const plain = 'format' in verify ? {} : { header: 'X-Signature' };
  return {
    type: 'webhook',
    path: `/hooks/${name}`,
    verify: { type: 'hmac', secret: 'vault:hook', ...plain, ...verify },
    ...more,
  };
}
