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
  /** A fresh project; with mail settings unless told otherwise. */
  project(options?: { mail?: boolean }): Promise<TestProject>;
  stop(): Promise<void>;
}

/** Settings that send through the server. */
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
  return {
    environment,
    mailServer,
    service,
    project: async ({ mail = true } = {}) => {
      const project = await createProject(service.url, environment.adminToken);
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
