import { Client } from '../../../support/client.js';
import type { Answer } from '../../../support/client.js';

export interface Refusal {
  readonly error: { readonly code: string; readonly hint?: string };
}

let last = 0;

/** A client address that no other caller of the suite has (RFC 2544, a range for tests of networks). */
export function freshClientAddress(): string {
  last += 1;
  return `198.18.${Math.floor(last / 250)}.${(last % 250) + 1}`;
}

/** The program as it is called from an address, by its trusted proxy. */
export function from(url: string, address = freshClientAddress()): Client {
  return new Client(url, { 'x-forwarded-for': address });
}

export function codeOf({ status, body }: Answer<unknown>): string {
  const { error } = (body ?? {}) as Partial<Refusal>;
  return `${status} ${error?.code ?? 'ok'}`;
}

/** How often each answer came. */
export function tally(answers: readonly Answer<unknown>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[codeOf(answer)] = (counts[codeOf(answer)] ?? 0) + 1;
  return counts;
}

/** Expects the refusal of a limit, with all that is said of it. */
export function expectLimited(answer: Answer<unknown>, setting: string): void {
  expect(codeOf(answer)).toBe('429 rate_limited');
  expect((answer.body as Refusal).error.hint).toContain(`limits.${setting} `);
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
}
