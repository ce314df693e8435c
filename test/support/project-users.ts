import { randomBytes } from 'node:crypto';
import { Accounts, NO_METADATA, SignIn } from '../../src/identity/index.js';
import type { RealmId } from '../../src/identity/index.js';
import { Database } from '../../src/platform/database/index.js';
import { Client } from './client.js';
import type { TestProject } from './project-environment.js';
import type { ServiceInProcess } from './service-in-process.js';

export interface ProjectUser {
  readonly userId: string;
  readonly email: string;
  readonly accessToken: string;
  readonly client: Client;
}

/** A new user of a project with a session, whichever endpoint opened it. */
export async function createProjectUser(
  { application, url }: ServiceInProcess,
  project: TestProject,
  email = `${randomBytes(6).toString('hex')}@example.com`,
): Promise<ProjectUser> {
  const origin = { ip: '127.0.0.1', userAgent: null };
  const account = { email, passwordHash: '-', emailVerified: true, metadata: NO_METADATA };
  const opened = await application.get(Database).transaction(async (tx) => {
    const user = await application.get(Accounts).create(tx, project.id as RealmId, account, origin);
    if (user === null) throw new Error(`${email} has an account in ${project.ref}`);
    return await application.get(SignIn).completeIn(tx, user, 'password', origin);
  });
  const { accessToken } = await application.get(SignIn).issue(opened);
  const client = new Client(url).as(accessToken.token);
  return { userId: opened.user.id, email, accessToken: accessToken.token, client };
}
