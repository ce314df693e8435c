import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import pTimeout from 'p-timeout';
import { AppModule } from './app.module.js';
import type { Config } from './platform/config/index.js';
import {
  ApiProfile,
  createHttpAdapter,
  MethodsByPath,
  OpenConnections,
  serveApiDescription,
  VERSION,
} from './http/index.js';
import { BackgroundServices, Readiness } from './platform/lifecycle/index.js';
import { RefusalMetrics } from './platform/metrics/index.js';
import { Tracing } from './platform/tracing/index.js';
import { Database } from './platform/database/index.js';
import type { ProgramLog } from './platform/logging/index.js';
import { StartupError } from './platform/startup/index.js';
import { builtPages, servePages } from './startup/console-pages.js';
import { serveFrontPage } from './startup/front-page.js';
import { requireOwnData } from './startup/profile-data.js';

/** The program in this process, from a configuration whose database and Redis answer and are migrated. */
export class Application {
  private constructor(
    private readonly app: NestFastifyApplication,
    private readonly config: Config,
    private readonly connections: OpenConnections,
    private readonly tracing: Tracing,
  ) {}

  /** Builds, listens, and then starts the background services of the configured roles: without the port, no work is taken. */
  static async start(config: Config, log: ProgramLog): Promise<Application> {
    const methodsByPath = new MethodsByPath();
    const { bodyLimitBytes, trustProxy, corsOrigins, host, port } = config.server;
    const allowedHosts = hostsOf(config);
    const bodyLimits = { payloadBytes: config.jobs.maxPayloadBytes, otherBytes: bodyLimitBytes };
    const servesApi = config.roles.has('api');
    /** Made with the application, for which the adapter has to be there first. */
    const late: { metrics?: RefusalMetrics } = {};
    const tracing = await Tracing.start(config, VERSION);
    const adapter = createHttpAdapter({
      bodyLimits,
      requestLimitMs: config.timing.server.requestLimitMs,
      lingerMs: config.timing.server.lingerMs,
      trustProxy,
      usesCors: corsOrigins.length > 0,
      allowedHosts,
      unreadMs: config.server.unreadSecs * 1000,
      servesApi,
      methodsByPath,
      tracing,
      refused: (code) => late.metrics?.refused(code),
    });
    const app = await NestFactory.create<NestFastifyApplication>(
      AppModule.register(config, log, methodsByPath, tracing),
      adapter,
      {
        bodyParser: false,
        logger: log,
        abortOnError: false,
      },
    );
    late.metrics = app.get(RefusalMetrics);
    const connections = new OpenConnections(app.getHttpServer());
    try {
      await requireOwnData(config.identity.profile, app.get(Database).reader);
      if (corsOrigins.length > 0)
        app.enableCors({
          origin: [...corsOrigins],
          methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
          exposedHeaders: [
            'Link',
            'RateLimit',
            'RateLimit-Policy',
            'Retry-After',
            'WWW-Authenticate',
            'X-Request-Id',
          ],
        });
      if (servesApi) {
        serveApiDescription(app, app.get(ApiProfile));
        const folder = builtPages();
        if (folder === null) log.warn('the pages were not built: npm run build makes them', 'Console');
        else servePages(app, folder, config.console);
        serveFrontPage(app, folder !== null && config.console.enabled);
      }
      await app.init();
      await app.get(BackgroundServices).startServing();
      await listen(app, host, port);
      await app.get(BackgroundServices).startWorking();
    } catch (error) {
      await app.get(BackgroundServices).stop();
      await app.close().catch(() => undefined);
      await tracing.stop(0);
      throw error;
    }
    app.get(Readiness).markReady();
    return new Application(app, config, connections, tracing);
  }

  /** A provider of the program, for what looks at it from outside. */
  get<Provider>(token: symbol | (new (...args: never[]) => Provider)): Provider {
    return this.app.get<Provider>(token);
  }

  /** Where it listens, as `http://host:port`. */
  async url(): Promise<string> {
    return await this.app.getUrl();
  }

  /** Ends in order: no more traffic wanted, running work ends or is handed back, then every connection closes. */
  async stop(): Promise<void> {
    this.app.get(Readiness).markDraining();
    const backgroundServices = this.app.get(BackgroundServices);
    const { closeLimitMs, idlePollMs } = this.config.timing.server;
    const { flushLimitMs, flushLeastMs } = this.config.timing.telemetry;
    const drainMs = this.config.server.drainSecs * 1000;
    const drainsUntil = performance.now() + drainMs;
    await backgroundServices.drain(drainMs);
    await backgroundServices.stop();
    // An instance without runs at work has all of the time for its requests.
    const milliseconds = Math.max(drainsUntil - performance.now(), closeLimitMs);
    const idle = setInterval(() => {
      this.connections.closeIdle();
    }, idlePollMs);
    await pTimeout(this.app.close(), { milliseconds, message: false });
    clearInterval(idle);
    // Last, since requests end until then; what is left of the time to drain, within bounds.
    const leftMs = drainsUntil - performance.now();
    await this.tracing.stop(Math.min(Math.max(leftMs, flushLeastMs), flushLimitMs));
  }
}

/** The hosts that requests may be for; with some, so may those that name projects by their refs. */
function hostsOf({ server: { allowedHosts }, auth: { projectDomain } }: Config): readonly string[] {
  return allowedHosts.length === 0 || projectDomain === null
    ? allowedHosts
    : [...allowedHosts, `*.${projectDomain}`];
}

/** @throws StartupError where the address cannot be had */
async function listen(app: NestFastifyApplication, host: string, port: number): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new StartupError(
        `port ${port} of ${host} is in use; free it or set server.port (SERVICE_SERVER__PORT)`,
      );
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL')
      throw new StartupError(
        `it may not listen on port ${port} of ${host} (${code}); set server.port and server.host`,
      );
    throw error;
  }
}
