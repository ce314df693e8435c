import { createEnvironment } from './environment.js';
import type { TestEnvironment } from './environment.js';
import { HandlerServer } from './handler-server.js';
import { ServiceInProcess } from './service-in-process.js';

/** The program in the test's own process, with servers of its own, whose handlers the suite answers for. */
export class HandlerProgram {
  private constructor(
    readonly environment: TestEnvironment,
    readonly handlers: HandlerServer,
    readonly service: ServiceInProcess,
  ) {}

  static async start(more: Readonly<Record<string, string>> = {}): Promise<HandlerProgram> {
    const [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    const variables: Record<string, string> = { ...environment.variables, ...handlers.variables, ...more };
    delete variables.SERVICE_FUNCTIONS__DIR;
    return new HandlerProgram(environment, handlers, await ServiceInProcess.start(variables));
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.handlers.stop();
    await this.environment.dispose();
  }
}
