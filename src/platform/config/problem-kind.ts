import type { Problem } from './schema/outcome.js';

/** What kind of fault a problem of the configuration is. */
export type ProblemKind = 'unreadable' | 'unknown' | 'missing' | 'invalid';

/** By the words of the reasons, all of which sources/ and cross-checks.ts write. */
const KINDS: readonly (readonly [RegExp, ProblemKind])[] = [
  [/^line \d+, column \d+: | cannot be read \(/, 'unreadable'],
  [/^is (?:not a known key|not a section|in an unknown section|not a variable)|^stands outside/, 'unknown'],
  [/^is required /, 'missing'],
];

export function problemKind({ reason }: Problem): ProblemKind {
  return KINDS.find(([words]) => words.test(reason))?.[1] ?? 'invalid';
}
