import { createClient, ServiceError } from '../../../../../client/src/index.js';
import type { PublicAnswer } from '../judgements/settings.js';

const MISDIRECTED = 421;
const ANSWER_LIMIT_MS = 5_000;

/** What a proxy answers while no instance does (RFC 9110, section 15.6). */
const BEHIND_IS_NOBODY: ReadonlySet<number> = new Set([502, 503, 504]);

/** What answers at an address, as seen from this machine. */
export async function answererAt(url: string): Promise<PublicAnswer> {
  try {
    const { status } = await createClient({ url }).health.live({
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    });
    return typeof status === 'string' ? 'service' : 'other';
  } catch (error) {
    if (error instanceof ServiceError && error.status === MISDIRECTED) return 'refused';
    return error instanceof ServiceError && error.status > 0 && !BEHIND_IS_NOBODY.has(error.status)
      ? 'other'
      : 'none';
  }
}
