import { randomBytes } from 'node:crypto';
import { sha256 } from '../../platform/crypto/index.js';

/**
 * A `traceparent` for a call that is part of no trace yet: one trace for all attempts of the run, not sampled
 * (https://www.w3.org/TR/trace-context/#traceparent-header).
 */
export function traceParentOf(runId: string): string {
  return `00-${sha256(runId).toString('hex').slice(0, 32)}-${randomBytes(8).toString('hex')}-00`;
}
