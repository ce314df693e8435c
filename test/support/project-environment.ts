import { mkdtemp, rm } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from './client.js';
import { createEnvironment } from './environment.js';
import type { TestEnvironment } from './environment.js';

export interface ProjectEnvironment extends TestEnvironment {
  /** `auth.jwt_dir` of every instance of the suite. */
  readonly keyFolder: string;
  readonly adminToken: string;
}

/** An environment whose program serves the project profile, with an operator and a folder for keys. */
export async function createProjectEnvironment(): Promise<ProjectEnvironment> {
  const [environment, keyFolder] = await Promise.all([
    createEnvironment(),
    mkdtemp(join(tmpdir(), 'service-keys-')),
  ]);
  const adminToken = randomBytes(16).toString('hex');
  return {
    ...environment,
    keyFolder,
    adminToken,
    variables: {
      ...environment.variables,
      SERVICE_IDENTITY__PROFILE: 'project',
      SERVICE_AUTH__JWT_DIR: keyFolder,
      SERVICE_AUTH__PROJECT_DOMAIN: 'projects.test',
      SERVICE_ADMIN__TOKEN: adminToken,
      // The mail servers of tests are on loopback.
      SERVICE_AUTH__PRIVATE_MAIL_HOSTS: 'true',
    },
    dispose: async () => {
      await environment.dispose();
      await rm(keyFolder, { recursive: true, force: true });
    },
  };
}

export interface TestProject {
  readonly id: string;
  readonly ref: string;
  readonly anonKey: string;
  readonly serviceKey: string;
  /** The program, called with the anon key and with the service key in `apikey`. */
  readonly anon: Client;
  readonly service: Client;
}

/** A new project, created by the operator. */
export async function createProject(
  url: string,
  adminToken: string,
  hosts: readonly string[] = [],
): Promise<TestProject> {
  const ref = `p-${randomBytes(6).toString('hex')}`;
  const anonymous = new Client(url);
  const { status, body } = await anonymous
    .as(adminToken)
    .post<{ id: string; anon_key: string; service_key: string }>('/admin/v1/projects', {
      ref,
      name: `Project ${ref}`,
      hosts,
    });
  if (status !== 201) throw new Error(`creating a project answered ${status}: ${JSON.stringify(body)}`);
  return {
    id: body.id,
    ref,
    anonKey: body.anon_key,
    serviceKey: body.service_key,
    anon: anonymous.with({ apikey: body.anon_key }),
    service: anonymous.with({ apikey: body.service_key }),
  };
}
