import type { WantedAccount } from './import-line.js';

/** Accounts of one transaction. */
const MAX_ACCOUNTS = 250;
/** Tenants that one transaction locks. No line may name more. */
export const MAX_TENANTS = 50;

/** In their order, by transactions: each of few accounts, which lock few tenants together. */
export function* inBatches<Candidate extends { readonly wanted: WantedAccount }>(
  candidates: readonly Candidate[],
): Generator<readonly Candidate[]> {
  let batch: Candidate[] = [];
  let tenants = new Set<string>();
  for (const candidate of candidates) {
    const names = candidate.wanted.tenants.map(({ name }) => name);
    const together = new Set([...tenants, ...names]);
    if (batch.length === MAX_ACCOUNTS || together.size > MAX_TENANTS) {
      yield batch;
      batch = [];
      tenants = new Set(names);
    } else tenants = together;
    batch.push(candidate);
  }
  if (batch.length > 0) yield batch;
}
