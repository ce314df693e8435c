import type { FieldProblem } from '../../platform/http/index.js';
import type { JobDefinitionDto } from './dto/manifest.js';

/**
 * What is wrong with a manifest whose every field is well-formed: ids that come twice, handlers that do not exist.
 *
 * @param known the handlers there are, or null when they cannot be known beforehand
 */
export function manifestProblems(
  jobs: readonly JobDefinitionDto[],
  known: ReadonlySet<string> | null,
): FieldProblem[] {
  const firstIndex = new Map<string, number>();
  return jobs.flatMap((job, index) => {
    const problems: FieldProblem[] = [];
    const first = firstIndex.get(job.id);
    if (first === undefined) firstIndex.set(job.id, index);
    else problems.push({ path: `jobs[${index}].id`, message: `is the id of jobs[${first}] already` });
    if (known !== null && !known.has(job.handler)) {
      problems.push({ path: `jobs[${index}].handler`, message: unknownHandler(known) });
    }
    return problems;
  });
}

function unknownHandler(known: ReadonlySet<string>): string {
  if (known.size === 0) return 'is not a deployed function; none is deployed';
  const shown = [...known].sort().slice(0, 10);
  return `is not a deployed function; there are: ${shown.join(', ')}${known.size > shown.length ? ', …' : ''}`;
}
