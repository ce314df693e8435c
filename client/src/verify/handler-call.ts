import { Webhook } from 'standardwebhooks';
import type { HeaderBag } from './caller.js';
import { Refusal } from './refusal.js';

/** A call of the service to a handler, verified. */
export interface HandlerCall {
  /** The same for each attempt, so that a handler can recognize repetitions. */
  readonly runId: string;
  readonly payload: unknown;
  readonly jobId: string;
  readonly attempt: number;
  /** What triggered the run: `manual`, `cron`, `webhook`, `data`, `event`. */
  readonly trigger: string;
  /** Who set the run going, or asked for it to be repeated: `user:<id>`, `key:<id>`, `cron:<position>` and so on. */
  readonly actor: string;
  /** Id of the organization or project. */
  readonly tenant: string;
  readonly scheduledFor: Date | null;
  /**
   * For calls to the service: `createClient({ credential })`. Valid until the attempt ends or reaches its time limit. A
   * deferred attempt can be reported with it even afterwards.
   */
  readonly credential: string | null;
}

interface ReceivedCall {
  readonly headers: Headers | HeaderBag;
  /** Exactly as received, before any parsing, because this is what was signed. */
  readonly body: string | Uint8Array;
}

/**
 * Verifies that a call to a handler comes from the service, by its Standard Webhooks signature of id, time and body
 * (https://www.standardwebhooks.com). The other headers are not signed; trust them as much as the connection.
 * @param secrets from `GET /jobs/v1/signing-secret`; during a rotation, the old and the new one
 * @throws Refusal `invalid_signature` (401), also for a call that is older than five minutes; Error for a malformed
 *   secret
 */
export async function verifyHandlerCall(
  call: Request | ReceivedCall,
  secrets: string | readonly string[],
): Promise<HandlerCall> {
  const headers = call.headers instanceof Headers ? call.headers : headersOf(call.headers);
  const body = 'text' in call ? await call.text() : textOf(call.body);
  const signed = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, headers.get(name) ?? '']),
  );
  const failures: unknown[] = [];
  const verifiers = (typeof secrets === 'string' ? [secrets] : secrets).map((secret) => new Webhook(secret));
  for (const verifier of verifiers) {
    try {
      verifier.verify(body, signed, { jsonParse: false });
      return handlerCall(headers, body);
    } catch (error) {
      failures.push(error);
    }
  }
  throw new Refusal({
    code: 'invalid_signature',
    message: 'The call is not signed by the service, or not lately enough.',
    status: 401,
    cause: failures[0],
  });
}

function handlerCall(headers: Headers, body: string): HandlerCall {
  const scheduledFor = headers.get('x-service-scheduled-for');
  return {
    runId: headers.get('webhook-id') ?? '',
    payload: JSON.parse(body) as unknown,
    jobId: headers.get('x-service-job-id') ?? '',
    attempt: Number(headers.get('x-service-attempt') ?? 1),
    trigger: headers.get('x-service-trigger') ?? '',
    actor: headers.get('x-service-actor') ?? '',
    tenant: headers.get('x-service-org') ?? headers.get('x-service-project') ?? '',
    scheduledFor: scheduledFor === null ? null : new Date(scheduledFor),
    credential: headers.get('authorization')?.replace(/^Bearer +/i, '') ?? null,
  };
}

function headersOf(bag: HeaderBag): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(bag)) {
    if (typeof value === 'string') headers.set(name, value);
    else if (value !== undefined) for (const one of value) headers.append(name, one);
  }
  return headers;
}

function textOf(body: string | Uint8Array): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
}
