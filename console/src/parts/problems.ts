/** One problem in a request: where, and what. */
interface Problem {
  readonly path: string;
  readonly message: string;
}

/** What a `ServiceError` of the client has. */
interface Refusal extends Error {
  readonly code: string;
  readonly details: readonly Problem[];
}

function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && 'code' in error && 'details' in error;
}

function problemsIn(error: unknown): readonly Problem[] {
  return isRefusal(error) ? error.details : [];
}

/** Whether a path is that of a field, or of something in it: of `hosts`, `hosts[0]`. */
function isAt(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}[`) || path.startsWith(`${field}.`);
}

function words(problems: readonly Problem[]): string {
  return problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
}

/** What the service says of a field, to be shown there. Of something in it, the place is named. */
export function problemAt(error: unknown, field: string): string | undefined {
  const own = problemsIn(error).filter(({ path }) => isAt(path, field));
  return own.length === 0
    ? undefined
    : words(own.map(({ path, message }) => ({ path: path === field ? '' : path, message })));
}

/**
 * What the service says of the whole request, or of what is no field on screen; null if the fields say all of it. That a
 * request is invalid says nothing beside what is invalid in it.
 * @param fields that show their problems themselves
 */
export function problemBeside(error: unknown, fields: readonly string[] = []): string | null {
  if (error == null) return null;
  const problems = problemsIn(error);
  const others = problems.filter(({ path }) => !fields.some((field) => isAt(path, field)));
  if (problems.length > 0 && others.length === 0) return null;
  if (others.length > 0 && isRefusal(error) && error.code === 'validation_failed') return words(others);
  return error instanceof Error ? error.message : JSON.stringify(error);
}
