import { programVariables } from '../support/environment.js';
import { RestartablePostgres } from '../support/restartable-postgres.js';
import { RestartableRedis } from '../support/restartable-redis.js';
import { ServiceProcess } from '../support/service-process.js';
import type { RecordingHandlers } from './recording-handlers.js';

export type Role = 'api' | 'worker' | 'scheduler';

/** Of a tenant, so many runs may be in work: few enough that they wait for room now and then. */
export const CAP = 3;
/** The database may be away for a while as a program starts; whoever runs it would start it again. */
const START_TRIES = 5;

const LAST_WORDS = 2000;

const ROLES: readonly Role[] = ['api', 'worker', 'worker', 'scheduler', 'scheduler'];

/** One program, from its start to its end. */
export interface Instance {
  readonly role: Role;
  readonly name: string;
  readonly process: ServiceProcess;
}

/** Programs of every role on a PostgreSQL and a Redis of their own, each of which may be ended and started again. */
export class Deployment {
  private readonly running: Instance[] = [];
  private readonly shared = programVariables();
  private readonly ever: Instance[] = [];
  private started = 0;

  private constructor(
    readonly postgres: RestartablePostgres,
    readonly redis: RestartableRedis,
    private readonly handlers: RecordingHandlers,
  ) {}

  static async start(handlers: RecordingHandlers): Promise<Deployment> {
    const [postgres, redis] = await Promise.all([RestartablePostgres.start(), RestartableRedis.create()]);
    const deployment = new Deployment(postgres, redis, handlers);
    // As a deployment begins, all at once: the first to come migrates.
    await Promise.all(ROLES.map((role) => deployment.add(role)));
    return deployment;
  }

  /** Those that are running now. */
  get instances(): readonly Instance[] {
    return this.running;
  }

  of(role: Role): Instance[] {
    return this.running.filter((instance) => instance.role === role);
  }

  /** Where the API is; null while there is none. */
  get api(): Instance | null {
    return this.of('api')[0] ?? null;
  }

  /** What any program logged with this in it, with the name of the program; the dead ones included. */
  logged(text: string): string[] {
    return this.ever.flatMap(({ name, process }) =>
      process.log
        .split('\n')
        .filter((line) => line.includes(text))
        .map((line) => `${name}: ${line}`),
    );
  }

  /** Programs that ended by themselves, with the last that they said. */
  get fallen(): string[] {
    return this.running
      .filter(({ process }) => process.hasEnded)
      .map(({ name, process }) => `${name} ended by itself:\n${process.log.slice(-LAST_WORDS)}`);
  }

  /** Kills it and starts another in its place. */
  async replace(instance: Instance): Promise<void> {
    this.running.splice(this.running.indexOf(instance), 1);
    await instance.process.stop('SIGKILL');
    await this.add(instance.role);
  }

  async stop(): Promise<void> {
    await Promise.all(this.running.map(({ process }) => process.stop('SIGKILL')));
    await Promise.all([this.postgres.dispose(), this.redis.dispose()]);
  }

  private async add(role: Role): Promise<void> {
    this.started += 1;
    const name = `${role}-${this.started}`;
    const variables = {
      ...this.shared,
      ...this.redis.variables,
      ...this.handlers.variablesFor(name),
      SERVICE_DATABASE__URL: this.postgres.url,
      SERVICE_ROLE: role,
      SERVICE_JOBS__MAX_ORG_CONCURRENT_RUNS: String(CAP),
      SERVICE_JOBS__WORKER_COUNT: '4',
      SERVICE_JOBS__SCHEDULER_INTERVAL_MS: '200',
    };
    for (let tries = 1; ; tries += 1) {
      try {
        const instance = { role, name, process: await ServiceProcess.start(variables) };
        this.running.push(instance);
        this.ever.push(instance);
        return;
      } catch (error) {
        if (tries >= START_TRIES) throw error;
      }
    }
  }
}
