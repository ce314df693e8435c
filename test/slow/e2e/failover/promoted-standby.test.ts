import { signUpOwner } from '../../../support/client.js';
import type { Client } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { HandlerServer } from '../../../support/handler-server.js';
import { ReplicatedPostgres } from '../../support/replicated-postgres.js';
import { registerJobs, runIn } from '../../../support/runs.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { until } from '../../../support/until.js';

const CALLERS = 4;

interface Session {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Asks for runs all the while, and keeps what it was answered. */
class Load {
  readonly accepted: string[] = [];
  readonly others = new Set<string>();
  private isOver = false;
  private readonly callers: readonly Promise<void>[];

  constructor(private readonly client: Client) {
    this.callers = Array.from({ length: CALLERS }, () => this.call());
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.callers);
  }

  private async call(): Promise<void> {
    while (!this.isOver) {
      const { status, body, headers } = await this.client.post<{ id: string }>('/jobs/v1/jobs/job/trigger');
      if (status === 202) this.accepted.push(body.id);
      else this.others.add(`${status}, retry after ${headers.get('retry-after')} s`);
    }
  }
}

describe('a program that is given a primary PostgreSQL and its synchronous standby', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let servers: ReplicatedPostgres;
  let service: ServiceProcess;
  let client: Client;
  let session: Session;

  beforeEach(async () => {
    [environment, handlers, servers] = await Promise.all([
      createEnvironment(),
      HandlerServer.start(),
      ReplicatedPostgres.start(),
    ]);
    service = await ServiceProcess.start({
      ...environment.variables,
      ...handlers.variables,
      SERVICE_DATABASE__URL: servers.url,
    });
    const owner = await signUpOwner(service.url ?? '');
    ({ client } = owner);
    await registerJobs(client, { job: {} });
    const signedIn = await client.post<Session>('/auth/v1/token?grant_type=password', {
      email: owner.email,
      password: 'correct horse battery staple',
    });
    session = signedIn.body;
  });

  afterEach(async () => {
    await service.stop();
    await handlers.stop();
    await servers.dispose();
    await environment.dispose();
  });

  async function acceptsRunsAgain(load: Load): Promise<void> {
    const before = load.accepted.length;
    await until(() => load.accepted.length > before + 2 * CALLERS);
  }

  /** Everything that was accepted ends, and the session goes on. */
  async function nothingIsLost(load: Load): Promise<void> {
    await load.stop();
    expect([...load.others].filter((answer) => answer !== '503, retry after 1 s')).toEqual([]);
    for (const id of load.accepted) await runIn(client, id, ['completed']);
    const refreshed = await client.post<Session>('/auth/v1/token?grant_type=refresh_token', {
      refresh_token: session.refresh_token,
    });
    expect(refreshed.status).toBe(200);
  }

  it('goes over to the standby that is promoted when the primary dies, and loses no accepted run', async () => {
    const load = new Load(client);
    await acceptsRunsAgain(load);
    await servers.primary.end('SIGQUIT');
    await until(() => load.others.size > 0);
    await servers.promote();
    await acceptsRunsAgain(load);
    await nothingIsLost(load);
    expect(service.log).toContain('does not accept writes; using');
  });

  it('goes over when the network to the primary is cut, although its connections stay open', async () => {
    const load = new Load(client);
    await acceptsRunsAgain(load);
    servers.networkOfPrimary.hang();
    await servers.primary.end('SIGQUIT');
    await servers.promote();
    await acceptsRunsAgain(load);
    await nothingIsLost(load);
  });

  it('goes on when the primary is restarted', async () => {
    const load = new Load(client);
    await acceptsRunsAgain(load);
    await servers.primary.end('SIGINT');
    await until(() => load.others.size > 0);
    await servers.primary.start();
    await acceptsRunsAgain(load);
    await nothingIsLost(load);
  });
});
