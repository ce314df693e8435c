import type { JobDefinitionDto } from '../../../src/jobs/definitions/dto/manifest.js';
import { addManifestProblems } from '../../../src/jobs/definitions/job-drafts.js';
import { FieldProblems } from '../../../src/http/index.js';
import type { FieldProblem, ServiceError } from '../../../src/http/index.js';

function job(id: string, handler = 'echo'): JobDefinitionDto {
  return { id, name: id, handler };
}

function manifestProblems(
  jobs: readonly JobDefinitionDto[],
  known: ReadonlySet<string> | null,
): readonly FieldProblem[] {
  const problems = new FieldProblems();
  addManifestProblems(problems, jobs, known);
  try {
    problems.requireNone();
    return [];
  } catch (error) {
    return (error as ServiceError).details ?? [];
  }
}

describe('the problems of a manifest', () => {
  it('are empty if all ids differ and all handlers exist', () => {
    expect(manifestProblems([job('a'), job('A'), job('b')], new Set(['echo']))).toEqual([]);
    expect(manifestProblems([], new Set())).toEqual([]);
  });

  it('contain every further use of an id, each with the first use', () => {
    expect(manifestProblems([job('a'), job('b'), job('a'), job('b'), job('a')], null)).toEqual([
      { path: 'jobs[2].id', message: 'is the id of jobs[0] already' },
      { path: 'jobs[3].id', message: 'is the id of jobs[1] already' },
      { path: 'jobs[4].id', message: 'is the id of jobs[0] already' },
    ]);
  });

  it('contain handlers that are not deployed, with a list of the deployed ones', () => {
    expect(manifestProblems([job('a', 'ehco')], new Set(['zip', 'echo']))).toEqual([
      { path: 'jobs[0].handler', message: 'is not a deployed function; there are: echo, zip' },
    ]);
    const many = new Set(Array.from({ length: 11 }, (_, index) => `f${index + 10}`));
    expect(manifestProblems([job('a', 'x')], many)[0]?.message).toMatch(/f10, .*f19, …$/);
    expect(manifestProblems([job('a', 'x')], new Set())[0]?.message).toMatch(/none is deployed$/);
  });

  it('do not contain handlers if any name may be a handler', () => {
    expect(manifestProblems([job('a', 'anything')], null)).toEqual([]);
  });

  it('are reported together, in the order of the jobs', () => {
    const problems = manifestProblems([job('a', 'x'), job('a', 'y')], new Set(['echo']));
    expect(problems.map(({ path }) => path)).toEqual(['jobs[0].handler', 'jobs[1].id', 'jobs[1].handler']);
  });
});
