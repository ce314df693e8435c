import { open } from 'node:fs/promises';
import { anchoredHeads, tenantChain, userChain } from '../../audit/index.js';
import type { AnchorState, AuditAnchors, BrokenChain, ChainProblem } from '../../audit/index.js';
import { isUuid } from '../../platform/crypto/index.js';
import { firstRow } from '../../platform/database/index.js';
import type { Database } from '../../platform/database/index.js';
import { CommandError } from '../../../servicectl/src/index.js';
import type { Terminal } from '../../../servicectl/src/index.js';
import { OperatorContext } from './operator-context.js';

const MEANINGS: Readonly<Record<ChainProblem, string>> = {
  missing_entries: 'entries are missing',
  forked: 'the chain forks',
  broken_link: 'the entry does not follow the one before it',
  altered_body: 'the entry was altered',
  altered_columns: 'the columns of the entry say something else than what was hashed',
  missing_head: 'the head of the chain is missing',
  truncated: 'entries at the end are missing',
  altered_head: 'the head is not the last entry',
  altered_checkpoint: 'the checkpoint that the chain begins at was altered',
  rewritten: 'the entry is another than the one that was noted',
  missing_chain: 'the whole chain is missing',
  wrong_mac: 'the head carries no valid MAC: entries were rewritten or cut off',
  unknown_key: 'the MAC is under a data key that is not configured; name it in identity.data_key_previous',
  missing_mac: 'the entry carries no MAC: it was forged, or its MAC was removed',
};

/** Which chains: of an organization, of a project, of a user, or all. */
export interface ChainSelection {
  readonly org?: string;
  readonly project?: string;
  readonly user?: string;
}

/** Which chains, and the file of an anchor that they must still contain. */
export interface VerifyOptions extends ChainSelection {
  readonly anchor?: string;
}

export async function verifyAudit(terminal: Terminal, options: VerifyOptions): Promise<void> {
  await OperatorContext.use(terminal, async ({ database, auditVerifier, auditAnchors }) => {
    const { anchor } = options;
    if (anchor !== undefined) await examineAnchor(terminal, auditAnchors, anchor);
    const verification = await auditVerifier.verifyChains({
      chainIds: await selectedChains(database, options),
      ...(anchor === undefined ? {} : { anchor: anchoredHeads(linesOf(anchor)) }),
      onProgress: (entries) => {
        terminal.progress(`${entries} entries …`);
      },
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
    if (broken.length > 0) throw new CommandError('the audit trail does not verify');
  });
}

export async function anchorAudit(terminal: Terminal): Promise<void> {
  await OperatorContext.use(terminal, async ({ auditAnchors }) => {
    await auditAnchors.write((json) => {
      terminal.line(json);
    }, new Date());
  });
}

const ANCHOR_FAULTS: Readonly<Partial<Record<AnchorState, string>>> = {
  not_an_anchor: 'is not what audit anchor prints',
  altered: 'was altered or is not whole',
};

async function examineAnchor(terminal: Terminal, anchors: AuditAnchors, file: string): Promise<void> {
  const state = await anchors.examine(linesOf(file)).catch((error: unknown) => {
    throw new CommandError(
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
  const fault = ANCHOR_FAULTS[state];
  if (fault !== undefined) throw new CommandError(`${file} ${fault}`);
  if (state === 'unknown_key')
    terminal.note(`the MAC of ${file} is under a data key that is not configured, and was not checked`);
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const handle = await open(file);
  yield* handle.readLines();
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
  if (org !== undefined) chains.push(tenantChain(await tenantId(database, 'organization', org)));
  if (project !== undefined) chains.push(tenantChain(await tenantId(database, 'project', project)));
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
