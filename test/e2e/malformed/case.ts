import { rawRequest } from '../../support/raw-http.js';

/** What the requests are made of: a signed-in owner, and what only the program itself should be able to sign. */
export interface Ground {
  readonly accessToken: string;
  readonly slug: string;
  readonly orgId: string;
  readonly jobId: string;
  /** Text that is in no honest request; the log must not repeat it. */
  readonly marker: string;
  /** Signs any claims with the program's own key, over the usual header. */
  sign(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
  /** Signs any claims with the program's key for run tokens. */
  signAsRun(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
  /** The claims of a token that is good. */
  readonly goodClaims: Readonly<Record<string, unknown>>;
  readonly kid: string;
  readonly publicPem: string;
  readonly publicJwk: Readonly<Record<string, unknown>>;
}

export interface MalformedRequest {
  /** Completes the sentence "refuses …". */
  readonly title: string;
  request(ground: Ground): Buffer | Promise<Buffer>;
  readonly status: number;
  readonly code: string;
  /** The faults of the fields, exactly these. */
  readonly paths?: readonly string[];
  readonly allow?: string;
}

export function bearer(token: string): string {
  return `Authorization: Bearer ${token}`;
}

export const JSON_TYPE = 'Content-Type: application/json';

/** A POST with a body as it stands: text or bytes that need not be JSON. */
export function posted(
  path: string,
  body: string | Buffer,
  headers: readonly string[] = [JSON_TYPE],
): Buffer {
  return rawRequest('POST', path, headers, body);
}

export function signUpWith(body: unknown): Buffer {
  return posted('/auth/v1/signup', JSON.stringify(body));
}

/** As the owner, in the owner's organization. */
export function asOwner(ground: Ground): string[] {
  return [bearer(ground.accessToken), `X-Service-Org: ${ground.slug}`];
}

export function registered(ground: Ground, manifest: unknown): Buffer {
  return posted('/jobs/v1/jobs', JSON.stringify(manifest), [JSON_TYPE, ...asOwner(ground)]);
}

export function triggered(ground: Ground, body: string, headers: readonly string[] = []): Buffer {
  return posted(`/jobs/v1/jobs/${ground.jobId}/trigger`, body, [JSON_TYPE, ...asOwner(ground), ...headers]);
}

export function askedByOwner(ground: Ground, path: string): Buffer {
  return rawRequest('GET', path, asOwner(ground));
}
