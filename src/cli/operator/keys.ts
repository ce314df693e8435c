import { OPERATOR } from '../../audit/index.js';
import { toRotatedDto, toSigningKeyDto } from '../../keys/index.js';
import type { Project } from '../../projects/index.js';
import { CommandError } from '../../../servicectl/src/index.js';
import type { Terminal } from '../../../servicectl/src/index.js';
import { table } from '../../../servicectl/src/table.js';
import { OperatorContext } from './operator-context.js';

const LISTED = 100;

const COLUMNS = [
  { heading: 'KID' },
  { heading: 'STATE' },
  { heading: 'SIGNS FROM', leftOut: 1 },
  { heading: 'VERIFIES UNTIL', leftOut: 2 },
] as const;

const STATE_COLOURS = { next: 'cyan', active: 'green', retiring: 'yellow', retired: 'dim' } as const;

/** The keys of the deployment, which sign for all of its organizations. */
const signingKeys: KeyWork = {
  async list(bench, terminal) {
    const keys = (await bench.signingKeys.list(bench.database.reader, LISTED, null)).map(toSigningKeyDto);
    const lines = keys.map((key) => [
      key.kid,
      { text: key.state, colour: STATE_COLOURS[key.state] },
      terminal.instant(key.signs_at),
      terminal.instant(key.retired_at ?? key.retires_at),
    ]);
    terminal.result(keys, table(terminal, COLUMNS, lines));
  },

  async rotate({ signingKeyRotation }, terminal, isImmediate) {
    const by = { actor: OPERATOR, origin: null } as const;
    const rotated = toRotatedDto(
      isImmediate ? await signingKeyRotation.rotateImmediately(by) : await signingKeyRotation.rotate(by),
    );
    const { active, next } = rotated;
    terminal.result(
      rotated,
      next === null
        ? `${active.kid} signs now; every access token signed before is refused.`
        : `${active.kid} signs until ${terminal.instant(next.signs_at)}, then ${next.kid}.`,
    );
  },
};

/** What `keys` does with the keys of a profile. */
interface KeyWork {
  list(bench: OperatorContext, terminal: Terminal): Promise<void>;
  rotate(bench: OperatorContext, terminal: Terminal, isImmediate: boolean): Promise<void>;
}

const PAGE = 500;

/** The private key of each project, which lies outside the database. */
const projectKeys: KeyWork = {
  async list(bench, terminal) {
    const keys = [];
    for (const { ref } of await allProjects(bench)) keys.push({ project: ref, ...(await keyOf(bench, ref)) });
    const lines = keys.map(({ project, kid, problem }) => [project, kid ?? problem ?? '']);
    terminal.result(keys, table(terminal, [{ heading: 'PROJECT' }, { heading: 'KID' }], lines));
    if (keys.some(({ kid }) => kid === null))
      throw new CommandError('there are projects without a key that can be read');
  },

  rotate() {
    throw new CommandError(
      'each project has a private key of its own, which this command does not touch. A leaked anon or service key ' +
        'is replaced by POST /admin/v1/projects/{ref}/keys/rotate. For a leaked private key replace the file of the ' +
        'project in auth.jwt_dir: within 30 s every token and both keys of the project are void',
    );
  },
};

async function allProjects({ projects, database }: OperatorContext): Promise<Project[]> {
  const all: Project[] = [];
  for (;;) {
    const page = await projects.list(database.reader, PAGE, all.at(-1)?.id ?? null);
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

async function keyOf(
  { projectKeys: keys }: OperatorContext,
  ref: string,
): Promise<{ kid: string | null; problem: string | null }> {
  try {
    return { kid: (await keys.of(ref)).kid, problem: null };
  } catch (error) {
    return { kid: null, problem: error instanceof Error ? error.message : String(error) };
  }
}

const OF_PROFILE: Readonly<Record<OperatorContext['profile'], KeyWork>> = {
  organization: signingKeys,
  project: projectKeys,
};

export async function listKeys(terminal: Terminal): Promise<void> {
  await OperatorContext.use(terminal, (bench) => OF_PROFILE[bench.profile].list(bench, terminal));
}

export async function rotateKeys(terminal: Terminal, isImmediate: boolean): Promise<void> {
  await OperatorContext.use(terminal, (bench) =>
    OF_PROFILE[bench.profile].rotate(bench, terminal, isImmediate),
  );
}
