import type { IncomingHttpHeaders } from 'node:http';
import type { FieldProblems } from '../../http/index.js';
import type { ForwardedHeaders } from '../runs/model/run.js';
import type { WebhookTriggerDto } from '../triggers/index.js';
import { verificationOf } from './webhook-verification.js';

/** Bytes of names and values that one run keeps. Node reads 16 KiB of headers, and handlers get others besides. */
const MAX_BYTES = 8_192;

/** A part of a name, between hyphens, by which a header carries what a caller proves its identity with. */
const CREDENTIAL =
  /(?:^proxy|(?:^|[-_])(?:auth|authorization|authentication|cookie2?|tokens?|secrets?|hmac|password|passwd|pwd|jwt|bearer|credentials?|(?:api|private|secret)-?key|signatures?|sig|session|csrf|xsrf))(?:$|[-_])/;

/** Values are ASCII (RFC 9110, section 5.5); what another one means is unknown, and it might not arrive unchanged. */
const SENDABLE = /^[\t\x20-\x7e]*$/;

/** Why a run must not keep the header; null when it may. @param name in lower case */
function refusalOf(name: string, { verify }: Partial<WebhookTriggerDto>): string | null {
  const carries = verify === undefined ? '' : verificationOf(verify).header;
  if (name === carries) return 'must not be the header of the signature';
  return CREDENTIAL.test(name) ? 'must not be a header that carries a credential or a signature' : null;
}

/** Adds the problems of `forward_headers` that go beyond the form of its names. */
export function addForwardingProblems(
  problems: FieldProblems,
  trigger: Partial<WebhookTriggerDto>,
  path: string,
): void {
  const first = new Map<string, number>();
  for (const [index, declared] of (trigger.forward_headers ?? []).entries()) {
    const name = declared.toLowerCase();
    const earlier = first.get(name);
    const refusal =
      earlier === undefined ? refusalOf(name, trigger) : `is forward_headers[${earlier}] already`;
    if (refusal !== null) problems.add(`${path}.forward_headers[${index}]`, refusal);
    first.set(name, earlier ?? index);
  }
}

/** The headers of a call that its run keeps: those named, in this order, as far as they fit into `MAX_BYTES`. */
export function forwardedHeaders(
  headers: IncomingHttpHeaders,
  names: readonly string[],
): ForwardedHeaders | null {
  const kept: Record<string, string> = {};
  let room = MAX_BYTES;
  for (const name of names) {
    const value = headers[name];
    if (typeof value !== 'string' || !SENDABLE.test(value)) continue;
    const size = name.length + value.length;
    if (size > room) continue;
    room -= size;
    kept[name] = value;
  }
  return Object.keys(kept).length === 0 ? null : kept;
}
