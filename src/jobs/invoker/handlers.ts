import { Inject, Injectable, Logger } from '@nestjs/common';
import type { MaybePromise } from '../../cache-invalidation/index.js';
import { CONFIG, ignoredVariables } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import type { BackgroundService } from '../../platform/lifecycle/index.js';
import { ProgramLog } from '../../platform/logging/index.js';
import { LogWriter } from '../logs/index.js';
import { FunctionHost } from './function-host/index.js';
import type { FunctionLogLine } from './function-host/index.js';

/** No such handler is deployed. */
export class HandlerNotFoundError extends Error {
  override name = 'HandlerNotFoundError';
}

/** Where to call now. A function of the local folder prints, and its lines come back another way than its answer. */
export interface Destination {
  readonly url: string;
  readonly isFunction: boolean;
}

/** Where a handler's name leads: a URL of the map, a function of the local folder, or the URL template. */
@Injectable()
export class Handlers implements BackgroundService {
  readonly name = 'function host';
  private readonly logger = new Logger('Functions');
  private readonly host: FunctionHost | null;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly programLog: ProgramLog,
    private readonly runLog: LogWriter,
  ) {
    const { dir, isolation } = config.functions;
    this.host =
      dir === null
        ? null
        : new FunctionHost({
            dir,
            isolation,
            timing: config.timing.functions,
            env: ignoredVariables(),
            log: (line) => {
              this.writeLine(line);
            },
          });
  }

  async start(): Promise<void> {
    if (this.host === null) return;
    const names = await this.host.names();
    this.logger.log(`functions in ${this.config.functions.dir ?? ''}: ${names.join(', ') || 'none yet'}`);
  }

  async stop(): Promise<void> {
    await this.host?.stop();
    await this.runLog.flush();
  }

  /** Stores what an answered attempt of a function has printed, so that it stands before what comes of it. */
  async storeLines(runId: string): Promise<void> {
    await this.runLog.flushRun(runId);
  }

  /** The handlers there are, or null when a URL template makes any name one. */
  async known(): Promise<ReadonlySet<string> | null> {
    if (this.config.functions.url !== null) return null;
    return new Set([...Object.keys(this.config.functions.handlers), ...((await this.host?.names()) ?? [])]);
  }

  /**
   * A promise only where a folder of functions is to be asked.
   *
   * @throws HandlerNotFoundError; what the function host says of one that does not load
   */
  destinationOf(handler: string, tenantId: string): MaybePromise<Destination> {
    const { handlers } = this.config.functions;
    const mapped = Object.hasOwn(handlers, handler) ? handlers[handler] : undefined;
    if (mapped !== undefined) return { url: mapped, isFunction: false };
    return this.host === null
      ? this.byTemplate(handler, tenantId)
      : this.functionElseTemplate(this.host, handler, tenantId);
  }

  private async functionElseTemplate(
    host: FunctionHost,
    handler: string,
    tenantId: string,
  ): Promise<Destination> {
    if (await host.has(handler)) return { url: (await host.endpoint(handler)).url, isFunction: true };
    return this.byTemplate(handler, tenantId);
  }

  private byTemplate(handler: string, tenantId: string): Destination {
    const { url } = this.config.functions;
    if (url === null) throw new HandlerNotFoundError(`there is no function named ${handler}`);
    const filled = url.replaceAll('{handler}', encodeURIComponent(handler)).replaceAll('{org}', tenantId);
    return { url: filled, isFunction: false };
  }

  private writeLine(line: FunctionLogLine): void {
    const { runId, attempt, level, message, at } = line;
    if (runId !== null) this.runLog.write({ runId, attempt, level, message, at: at.getTime() });
    this.programLog.event(line.level, line.message, {
      context: 'Functions',
      function: line.function,
      run_id: line.runId,
      attempt: line.attempt,
    });
  }
}
