import { Client } from './client.js';
import { createEnvironment } from './environment.js';
import type { TestEnvironment } from './environment.js';
import { MailServer } from './mail-server.js';
import { ServiceInProcess } from './service-in-process.js';

/** The program with a mail server of its own. */
export interface MailingService {
  readonly environment: TestEnvironment;
  readonly mailServer: MailServer;
  readonly service: ServiceInProcess;
  readonly anonymous: Client;
  stop(): Promise<void>;
}

export async function startMailingService(
  variables: Readonly<Record<string, string>> = {},
): Promise<MailingService> {
  const [environment, mailServer] = await Promise.all([createEnvironment(), MailServer.start()]);
  const service = await ServiceInProcess.start({
    ...environment.variables,
    ...mailServer.variables,
    ...variables,
  });
  return {
    environment,
    mailServer,
    service,
    anonymous: new Client(service.url),
    stop: async () => {
      await service.stop();
      await mailServer.down();
      await environment.dispose();
    },
  };
}
