/** What a route says of the tokens of runs where the rule of `opensToRuns` does not fit it. */
export type RunTokenAccess = 'open' | 'closed';

const CHANGED_BY_PEOPLE = /^\/auth\/v1(?:\/|$)/;
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether the token of a run may call a route at all (contract section 9.7): everywhere, but to change nothing under
 * `/auth/v1`. By method and path, so that no route is left out because nobody thought of it.
 *
 * @param path the route's template or the path of a request
 * @param declared what the route itself says, which comes first
 */
export function opensToRuns(method: string, path: string, declared?: RunTokenAccess): boolean {
  if (declared !== undefined) return declared === 'open';
  return READING.has(method.toUpperCase()) || !CHANGED_BY_PEOPLE.test(path);
}
