import { programVariables } from '../../support/environment.js';
import { RestartablePostgres } from '../support/restartable-postgres.js';
import { RestartableRedis } from '../support/restartable-redis.js';
import { ServiceProcess } from '../../support/service-process.js';
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
  private shared: Record<string, string> = programVariables();
  private readonly ever: Instance[] = [];
  private started = 0;
  private turn = 0;

  private constructor(
    readonly postgres: RestartablePostgres,
    readonly redis: RestartableRedis,
    private readonly handlers: RecordingHandlers,
  ) {}

  /** `roles`: an instance each; `variables`: further settings of all. */
  static async start(
    handlers: RecordingHandlers,
    roles: readonly Role[] = ROLES,
    variables: Readonly<Record<string, string>> = {},
  ): Promise<Deployment> {
    const [postgres, redis] = await Promise.all([RestartablePostgres.start(), RestartableRedis.create()]);
    const deployment = new Deployment(postgres, redis, handlers);
    deployment.configure(variables);
    // As a deployment begins, all at once: the first to come migrates.
    await Promise.all(roles.map((role) => deployment.add(role)));
    return deployment;
  }

  /** Those that are running now. */
  get instances(): readonly Instance[] {
    return this.running;
  }

  of(role: Role): Instance[] {
    return this.running.filter((instance) => instance.role === role);
  }

  /** Where the API is, one instance after another; null while there is none. */
  get api(): Instance | null {
    const instances = this.of('api');
    this.turn += 1;
    return instances[this.turn % instances.length] ?? null;
  }

  /** What a command of the operator needs, which works on the database. */
  get commandVariables(): Record<string, string> {
    return { ...this.shared, ...this.redis.variables, SERVICE_DATABASE__URL: this.postgres.url };
  }

  /** Settings of the instances that start from now on. */
  configure(variables: Readonly<Record<string, string>>): void {
    this.shared = { ...this.shared, ...variables };
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

  /** Ends it as an orchestrator does: it gets no new requests, then SIGTERM. @returns its exit code */
  async retire(instance: Instance): Promise<number | null> {
    this.running.splice(this.running.indexOf(instance), 1);
    return await instance.process.stop();
  }

  /** Starts another for each instance before that one goes, one after another, as a rolling update does. */
  async roll(): Promise<void> {
    for (const instance of [...this.running]) {
      await this.add(instance.role);
      const code = await this.retire(instance);
      if (code !== 0)
        throw new Error(`${instance.name} ended with ${code}:\n${instance.process.log.slice(-LAST_WORDS)}`);
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.running.map(({ process }) => process.stop('SIGKILL')));
    await Promise.all([this.postgres.dispose(), this.redis.dispose()]);
  }

  async add(role: Role): Promise<void> {
    this.started += 1;
    const name = `${role}-${this.started}`;
    const variables = {
      ...this.commandVariables,
      ...this.handlers.variablesFor(name),
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
