import { Client } from './client.js';
import { MailServer } from './mail-server.js';
import { createProject, createProjectEnvironment } from './project-environment.js';
import type { ProjectEnvironment, TestProject } from './project-environment.js';
import { ServiceInProcess } from './service-in-process.js';

export const PUBLIC_URL = 'https://id.example.com/base';

/** The program in the project profile, with a mail server that its projects may name. */
export interface MailingProjects {
  readonly environment: ProjectEnvironment;
  readonly mailServer: MailServer;
  readonly service: ServiceInProcess;
  /** A new project, with mail settings by default. */
  project(options?: { mail?: boolean; redirectUrls?: readonly string[] }): Promise<TestProject>;
  /** Replaces the project's list of redirect URLs. */
  allowRedirects(project: Pick<TestProject, 'ref'>, urls: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

/** Settings for sending through the server. */
export function mailSettings(mailServer: MailServer): Record<string, unknown> {
  return { host: '127.0.0.1', port: mailServer.port, from: 'Acme <hello@acme.example>', tls: 'none' };
}

export async function startMailingProjects(
  variables: Readonly<Record<string, string>> = {},
): Promise<MailingProjects> {
  const [environment, mailServer] = await Promise.all([createProjectEnvironment(), MailServer.start()]);
  const service = await ServiceInProcess.start({
    ...environment.variables,
    SERVICE_IDENTITY__PUBLIC_URL: PUBLIC_URL,
    ...variables,
  });
  const operator = new Client(service.url).as(environment.adminToken);
  const allowRedirects = async (
    { ref }: Pick<TestProject, 'ref'>,
    urls: readonly string[],
  ): Promise<void> => {
    const changed = await operator.send('PATCH', `/admin/v1/projects/${ref}`, { redirect_urls: urls });
    if (changed.status !== 200) throw new Error(`the redirect URLs answered ${JSON.stringify(changed.body)}`);
  };
  return {
    environment,
    mailServer,
    service,
    allowRedirects,
    project: async ({ mail = true, redirectUrls = [] } = {}) => {
      const project = await createProject(service.url, environment.adminToken);
      if (redirectUrls.length > 0) await allowRedirects(project, redirectUrls);
      if (mail) {
        const { status, body } = await project.service.send('PUT', '/auth/v1/mail', mailSettings(mailServer));
        if (status !== 200) throw new Error(`mail settings answered ${status}: ${JSON.stringify(body)}`);
      }
      return project;
    },
    stop: async () => {
      await service.stop();
      await mailServer.down();
      await environment.dispose();
    },
  };
}

export interface ProjectSession {
  access_token: string;
  refresh_token: string;
  user: { id: string; email: string };
}
