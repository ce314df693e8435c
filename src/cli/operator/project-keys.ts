import type { Project } from '../../projects/index.js';
import { CommandError } from '../command-error.js';
import { table } from '../table.js';
import type { OperatorContext } from './operator-context.js';
import type { KeyWork } from './key-work.js';

const PAGE = 500;

/** The private key of each project, which lies outside the database. */
export const projectKeys: KeyWork = {
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
