import { ServiceError } from '../../../../client/src/index.js';
import { CommandError, EXIT } from '../../command-error.js';
import { asTyped, callerEnvironment } from '../../environment.js';
import { facts } from '../../table.js';
import type { Terminal } from '../../terminal.js';
import { connect } from './connection.js';
import { projectKeyOf } from '../organization/organization.js';
import type { ProjectKey } from '../organization/organization.js';
import type { Connection, ServerOptions } from './connection.js';

/** Who calls, and what they may do in the organization of their commands. */
export async function whoAmI(terminal: Terminal, server: ServerOptions): Promise<void> {
  const { apiKey } = callerEnvironment();
  const project = apiKey === null ? null : projectKeyOf(apiKey);
  if (project !== null) await showProjectKey(terminal, await connect(server), project);
  else await showMember(terminal, await connect(server), apiKey);
}

async function showMember(
  terminal: Terminal,
  { client, url }: Connection,
  apiKey: string | null,
): Promise<void> {
  const user = apiKey === null ? await client.auth.user() : null;
  const rights = await client.permissions.get().catch((error: unknown) => {
    // A user who belongs to no organization, or has not chosen one, is somebody all the same.
    if (
      user !== null &&
      error instanceof ServiceError &&
      ['org_required', 'not_a_member'].includes(error.code)
    )
      return null;
    throw error;
  });
  terminal.result(
    {
      url,
      user: user === null ? null : { id: user.id, email: user.email, email_verified: user.email_verified },
      api_key: apiKey === null ? null : prefixOf(apiKey),
      org: rights?.org ?? null,
      role: rights?.role ?? null,
      permissions: rights?.permissions ?? [],
    },
    facts(terminal, {
      User: user === null ? null : { text: user.email, colour: 'bold' },
      Verified: user === null || user.email_verified ? null : { text: 'no', colour: 'yellow' },
      'API key': apiKey === null ? null : { text: prefixOf(apiKey), colour: 'bold' },
      Server: url,
      Organization: rights === null ? 'none' : `${rights.org.slug} (${rights.org.name})`,
      Role: rights?.role ?? null,
      Permissions: rights === null ? null : rights.permissions.join('\n'),
    }),
  );
  if (rights === null && user !== null)
    terminal.advise(
      user.orgs.length === 0
        ? `You do not belong to an organization yet. Create one: ${asTyped('orgs create <slug>')}`
        : `Choose an organization: ${asTyped('orgs use <slug>')}`,
    );
}

/** A project's key names its project; that the server takes it, only a call can tell. */
async function showProjectKey(
  terminal: Terminal,
  { client, url }: Connection,
  { ref, role }: ProjectKey,
): Promise<void> {
  if (role !== 'service_role')
    throw new CommandError(
      'SERVICE_API_KEY holds the anon key of a project, which may run no commands',
      EXIT.refused,
      "Set it to the project's service key",
    );
  await client.jobs.list({ limit: 1 }).all(1);
  terminal.result(
    { url, project: ref, role },
    facts(terminal, { 'Service key': { text: `of the project ${ref}`, colour: 'bold' }, Server: url }),
  );
}

/** What may be shown of an API key: `svc_` and its eight characters. */
function prefixOf(apiKey: string): string {
  return apiKey.slice(0, 12);
}
