import type { FieldProblems } from '../../http/index.js';
import { NO_REFERENCE, secretPathIn } from '../../vault/index.js';
import type { WebhookVerificationDto } from '../triggers/index.js';
import type { SignatureAlgorithm, SignatureFormat, SignatureRule } from './signatures/index.js';

/** How far a signed timestamp may be from now, in seconds, if the trigger does not say. */
const DEFAULT_TOLERANCE_SECS = 300;

/** How a hook verifies requests and recognizes redeliveries. */
export interface Verification extends SignatureRule {
  /** The header with the delivery's id, in lower case; null if the format determines it. */
  readonly idHeader: string | null;
}

/** The signature header for each algorithm of a format; `plain` has no header of its own. */
const FIXED_HEADERS: Readonly<
  Record<Exclude<SignatureFormat, 'plain'>, Partial<Record<SignatureAlgorithm, string>>>
> = {
  github: { sha256: 'x-hub-signature-256', sha1: 'x-hub-signature' },
  gitlab: { sha256: 'x-gitlab-token' },
  stripe: { sha256: 'stripe-signature' },
  slack: { sha256: 'x-slack-signature' },
  standard: { sha256: 'webhook-signature' },
};

function fixedHeader({ format = 'plain', algorithm = 'sha256' }: WebhookVerificationDto): string | undefined {
  return format === 'plain' ? undefined : FIXED_HEADERS[format][algorithm];
}

/** The verification that a valid declaration describes. */
export function verificationOf(declared: WebhookVerificationDto): Verification {
  return {
    format: declared.format ?? 'plain',
    algorithm: declared.algorithm ?? 'sha256',
    header: declared.header?.toLowerCase() ?? fixedHeader(declared) ?? '',
    toleranceSecs: declared.tolerance_secs ?? DEFAULT_TOLERANCE_SECS,
    idHeader: declared.id_header?.toLowerCase() ?? null,
  };
}

/** The path of the secret that a declaration refers to; null when it uses the deployment's secret. */
export function secretPathOf({ secret }: WebhookVerificationDto): string | null {
  return secret === undefined ? null : secretPathIn(secret);
}

/**
 * Adds the problems of a declaration that go beyond the form of its fields.
 * @param hasFallback whether `jobs.webhook_secret` is set
 */
export function addVerificationProblems(
  problems: FieldProblems,
  declared: WebhookVerificationDto,
  path: string,
  hasFallback: boolean,
): void {
  const ofSecret = secretProblem(declared, hasFallback);
  if (ofSecret !== null) problems.add(`${path}.secret`, ofSecret);
  // The required header depends on both of these fields, so it cannot be judged while one is invalid.
  if (problems.has(`${path}.format`) || problems.has(`${path}.algorithm`)) return;
  const { format = 'plain', algorithm = 'sha256', header } = declared;
  if (format === 'plain') {
    if (header === undefined)
      problems.add(
        `${path}.header`,
        'must name the header of the signature, which the format plain does not fix',
      );
  } else if (fixedHeader(declared) === undefined) {
    const known = Object.keys(FIXED_HEADERS[format]).join(' or ');
    problems.add(`${path}.algorithm`, `must be ${known} for the format ${format}, not ${algorithm}`);
  }
}

function secretProblem({ secret }: WebhookVerificationDto, hasFallback: boolean): string | null {
  if (secret === undefined) {
    return hasFallback
      ? null
      : 'must be vault:<path>: the deployment has no jobs.webhook_secret to serve in its place';
  }
  return secretPathIn(secret) === null ? NO_REFERENCE : null;
}
