import { changeText, jobChanges, ServiceError } from '../../../../client/src/index.js';
import type { FieldChange, JobChange, OrganizationClient } from '../../../../client/src/index.js';
import pLimit from 'p-limit';
import { sanitizeForTerminal } from '../../terminal.js';
import type { Terminal } from '../../terminal.js';
import { readBundle } from './bundle.js';
import type { Bundle } from './bundle.js';
import { connect } from '../session/connection.js';
import type { Connection, ServerOptions } from '../session/connection.js';
import { asTyped } from '../../environment.js';
import { refuseWithoutConsent } from '../session/prompts.js';

export interface DeployOptions extends ServerOptions {
  readonly prune?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** What happens to a job, and where it is known, to which of its values. */
interface PlannedChange extends JobChange {
  readonly fields?: readonly FieldChange[];
}

const KINDS = {
  created: { mark: '+', colour: 'green', intent: 'create' },
  updated: { mark: '~', colour: 'yellow', intent: 'update' },
  deleted: { mark: '-', colour: 'red', intent: 'delete' },
  unchanged: { mark: ' ', colour: 'dim', intent: 'unchanged' },
} as const;

/** Reads of the server at one time, for the values of jobs that change. */
const READS = 5;

/** Shows what a bundle changes, asks, and registers its jobs: all of them or none. */
export async function deploy(terminal: Terminal, path: string, options: DeployOptions): Promise<void> {
  const { prune = false, dryRun = false, yes = false } = options;
  const bundle = await readBundle(path);
  const connection = await connect(options);
  const planned = await withFields(
    connection.client,
    bundle,
    await register(connection, bundle, { prune, dryRun: true }),
  );
  const changes = planned.filter(({ change }) => change !== 'unchanged');
  if (dryRun || changes.length === 0) {
    terminal.result({ applied: false, jobs: planned }, plan(terminal, connection, planned));
    return;
  }
  if (!terminal.asJson) terminal.result(null, plan(terminal, connection, planned));
  await refuseWithoutConsent(terminal, yes, 'Deploy this?', 'say --yes to deploy it');
  const jobs = await register(connection, bundle, { prune, dryRun: false });
  const counts = countsOf(jobs).map(({ kind, count }) => `${count} ${kind}`);
  terminal.result({ applied: true, jobs }, `Deployed: ${counts.join(', ')}.`);
  const runnable = jobs.find(({ change }) => change === 'created' || change === 'updated');
  if (runnable !== undefined) terminal.advise(`Run one: ${asTyped(`trigger ${runnable.id} --follow`)}`);
}

async function register(
  { client }: Connection,
  bundle: Bundle,
  { prune, dryRun }: { prune: boolean; dryRun: boolean },
): Promise<JobChange[]> {
  try {
    const { jobs } = await client.api.post('/jobs/v1/jobs', {
      query: { prune, dry_run: dryRun },
      body: bundle.manifest,
      raw: bundle.text,
    });
    return jobs;
  } catch (error) {
    if (error instanceof ServiceError) throw explained(error, bundle);
    throw error;
  }
}

/** What the change to each updated job consists of; unknown to a caller who may register and not read. */
async function withFields(
  client: OrganizationClient,
  { manifest }: Bundle,
  changes: readonly JobChange[],
): Promise<PlannedChange[]> {
  const limit = pLimit(READS);
  return await Promise.all(
    changes.map(async (change) => {
      const definition = manifest.jobs.find(({ id }) => id === change.id);
      if (change.change !== 'updated' || definition === undefined) return change;
      try {
        const job = await limit(() => client.jobs.get(change.id));
        return { ...change, fields: jobChanges(job, definition) };
      } catch (error) {
        if (error instanceof ServiceError && [403, 404].includes(error.status)) return change;
        throw error;
      }
    }),
  );
}

function plan(terminal: Terminal, { url, orgName }: Connection, changes: readonly PlannedChange[]): string {
  const width = Math.max(0, ...changes.map(({ id }) => id.length));
  const where = `${url}${orgName === null ? '' : `, organization ${sanitizeForTerminal(orgName)}`}`;
  const lines = changes.flatMap(({ id, change, fields = [] }) => {
    const { mark, colour, intent } = KINDS[change];
    return [
      terminal.paint(colour, `  ${mark} ${sanitizeForTerminal(id).padEnd(width)}  ${intent}`),
      ...fields.map((field) => `      ${sanitizeForTerminal(changeText(field))}`),
    ];
  });
  return [where, '', ...lines, '', intents(changes)].join('\n');
}

/** `2 to create, 1 to delete.` */
function intents(changes: readonly JobChange[]): string {
  const counts = countsOf(changes).filter(({ kind }) => kind !== 'unchanged');
  if (counts.length === 0) return 'Nothing to change.';
  return `${counts.map(({ kind, count }) => `${count} to ${KINDS[kind].intent}`).join(', ')}.`;
}

function countsOf(changes: readonly JobChange[]): { kind: JobChange['change']; count: number }[] {
  return (Object.keys(KINDS) as JobChange['change'][])
    .map((kind) => ({ kind, count: changes.filter(({ change }) => change === kind).length }))
    .filter(({ count }) => count > 0);
}

/** Says where functions come from, when the server lacks one: the API carries none. */
function explained(error: ServiceError, { manifest, functionFiles }: Bundle): ServiceError {
  const handlers = error.details.flatMap(({ path, message }) => {
    const index = /^jobs\[(\d+)\]\.handler$/.exec(path)?.[1];
    const handler = index === undefined ? undefined : manifest.jobs[Number(index)]?.handler;
    return handler !== undefined && message.includes('not a deployed function') ? [handler] : [];
  });
  if (handlers.length === 0) return error;
  const files = [...new Set(handlers)].map(
    (handler) => functionFiles.get(handler) ?? `a function ${handler}`,
  );
  const { code, message, status, details, requestId } = error;
  const hint =
    'The server runs the functions of its own folder (functions.dir), and the API carries no files. ' +
    `Put ${files.join(', ')} there, then deploy again.`;
  return new ServiceError({ code, message, status, details, requestId, hint });
}
