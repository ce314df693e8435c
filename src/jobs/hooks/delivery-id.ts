import { MAX_JSON_DEPTH, scanJson } from '../../platform/http/index.js';
import { headerOf, siblingHeader } from './signatures/index.js';
import type { SignedRequest } from './signatures/index.js';
import type { Verification } from './webhook-verification.js';

const GITHUB_DELIVERY = 'x-github-delivery';
/** Unique to an event and the same for its redeliveries, https://docs.gitlab.com/user/project/integrations/webhooks/#delivery-headers */
const GITLAB_DELIVERY = 'idempotency-key';
const STANDARD_ID = 'webhook-id';

/**
 * The id that the provider gave a delivery, by which a redelivery is known; null where there is none, and
 * then each counts as one of its own: equal bodies can be two events.
 *
 * @param payload JSON text
 */
export function deliveryIdOf(request: SignedRequest, rule: Verification, payload: string): string | null {
  const { format, header, idHeader } = rule;
  if (idHeader !== null) return headerOf(request, idHeader) || null;
  if (format === 'stripe') return eventIdOf(payload);
  if (format === 'standard') return headerOf(request, siblingHeader(header, 'id')) || null;
  if (format === 'gitlab') return headerOf(request, GITLAB_DELIVERY) || null;
  return headerOf(request, GITHUB_DELIVERY) || headerOf(request, STANDARD_ID) || null;
}

/** The `id` of a Stripe event (https://docs.stripe.com/api/events/object). */
function eventIdOf(payload: string): string | null {
  const scan = scanJson(payload, { maxDepth: MAX_JSON_DEPTH, wanted: 'id' });
  if (scan.fault !== null || scan.member === null) return null;
  const { start, end } = scan.member;
  const id: unknown = payload[start] === '"' ? JSON.parse(payload.slice(start, end)) : null;
  return typeof id === 'string' && id !== '' ? id : null;
}
