import type { FieldProblem } from '../http/index.js';
import { redirectPatternProblem } from '../platform/redirects/index.js';

/** Redirect URLs without duplicates, and the problems of invalid ones. */
export function readRedirectUrls(given: readonly unknown[]): { urls: string[]; problems: FieldProblem[] } {
  const kept = new Set<string>();
  const problems: FieldProblem[] = [];
  for (const [index, url] of given.entries()) {
    const problem = typeof url === 'string' ? redirectPatternProblem(url) : 'must be text';
    if (problem !== null) problems.push({ path: `redirect_urls[${index}]`, message: problem });
    else kept.add(url as string);
  }
  return { urls: [...kept], problems };
}
