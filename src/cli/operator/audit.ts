import { organizationChain, userChain } from '../../audit/index.js';
import type { BrokenChain, ChainProblem } from '../../audit/index.js';
import { isUuid } from '../../platform/crypto/index.js';
import { firstRow } from '../../platform/database/index.js';
import type { Database } from '../../platform/database/index.js';
import { CommandError } from '../command-error.js';
import type { Terminal } from '../terminal.js';
import { Workbench } from './workbench.js';

const MEANINGS: Readonly<Record<ChainProblem, string>> = {
  missing_entries: 'entries are missing',
  forked: 'the chain forks',
  broken_link: 'the entry does not follow the one before it',
  altered_body: 'the entry was altered',
  altered_columns: 'the columns of the entry say something else than what was hashed',
  missing_head: 'the head of the chain is missing',
  truncated: 'entries at the end are missing',
  altered_head: 'the head is not the last entry',
};

/** Which chains: of an organization, of a project, of a user, or all. */
export interface ChainSelection {
  readonly org?: string;
  readonly project?: string;
  readonly user?: string;
}

export async function verifyAudit(terminal: Terminal, selection: ChainSelection): Promise<void> {
  await Workbench.use(terminal, async ({ database, auditVerifier }) => {
    const chains = await selectedChains(database, selection);
    const verification = await auditVerifier.verify(chains, (entries) => {
      terminal.progress(`${entries} entries …`);
    });
    const broken = verification.broken.map(({ chainId, position, entryId, problem }) => ({
      chain: chainId,
      position,
      entry_id: entryId,
      problem,
    }));
    const counts = `${verification.entries} entries in ${verification.chains} chains`;
    terminal.result(
      { ok: broken.length === 0, chains: verification.chains, entries: verification.entries, broken },
      broken.length === 0
        ? `${counts}: all hold`
        : [`${counts}: ${broken.length} broken`, ...verification.broken.map(describe)].join('\n'),
    );
    if (broken.length > 0) throw new CommandError('the audit trail was tampered with');
  });
}

function describe({ chainId, position, entryId, problem }: BrokenChain): string {
  return `  ${chainId} at position ${position}: ${MEANINGS[problem]}${entryId === null ? '' : ` (entry ${entryId})`}`;
}

/** Null for all. A chain outlives what it is about, so an id need not exist any more. */
async function selectedChains(
  database: Database,
  { org, project, user }: ChainSelection,
): Promise<string[] | null> {
  if (org === undefined && project === undefined && user === undefined) return null;
  const chains: string[] = [];
  if (org !== undefined) chains.push(organizationChain(await tenantId(database, 'organization', org)));
  if (project !== undefined) chains.push(organizationChain(await tenantId(database, 'project', project)));
  if (user !== undefined) {
    if (!isUuid(user)) throw new CommandError('--user takes the id of a user');
    chains.push(userChain(user.toLowerCase()));
  }
  return chains;
}

/** How the tenants of each profile are found by name. */
const BY_NAME = {
  organization: { sql: 'SELECT id FROM organizations WHERE slug = $1', name: 'slug' },
  project: { sql: 'SELECT id FROM projects WHERE ref = $1', name: 'ref' },
} as const;

async function tenantId(database: Database, noun: keyof typeof BY_NAME, reference: string): Promise<string> {
  if (isUuid(reference)) return reference.toLowerCase();
  const { sql, name } = BY_NAME[noun];
  const found = await firstRow<{ id: string }>(database.reader, sql, [reference]);
  if (found === null) throw new CommandError(`there is no ${noun} with the ${name} ${reference}`);
  return found.id;
}
