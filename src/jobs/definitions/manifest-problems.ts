import type { FieldProblems } from '../../platform/http/index.js';
import type { JobDefinitionDto } from './dto/manifest.js';

/** A job of a manifest as far as it is well-formed; undefined when it is not an object. */
export type DeclaredJob = Partial<JobDefinitionDto> | undefined;

/**
 * Adds problems that go beyond the form of a manifest's fields: duplicate ids and unknown handlers.
 *
 * @param known the existing handlers, or null when they cannot be known in advance
 */
export function addManifestProblems(
  problems: FieldProblems,
  jobs: readonly DeclaredJob[],
  known: ReadonlySet<string> | null,
): void {
  const firstIndex = new Map<string, number>();
  const missing = known === null ? '' : unknownHandler(known);
  for (const [index, { id, handler } = {}] of jobs.entries()) {
    const first = id === undefined ? undefined : firstIndex.get(id);
    if (first !== undefined) problems.add(`jobs[${index}].id`, `is the id of jobs[${first}] already`);
    else if (id !== undefined) firstIndex.set(id, index);
    if (known !== null && handler !== undefined && !known.has(handler))
      problems.add(`jobs[${index}].handler`, missing);
  }
}

function unknownHandler(known: ReadonlySet<string>): string {
  if (known.size === 0) return 'is not a deployed function; none is deployed';
  const shown = [...known].sort().slice(0, 10);
  return `is not a deployed function; there are: ${shown.join(', ')}${known.size > shown.length ? ', …' : ''}`;
}
