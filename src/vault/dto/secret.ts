import { ApiProperty } from '@nestjs/swagger';
import { FormField } from '../../http/index.js';
import type { TextForm } from '../../http/index.js';
import { standardSecretProblem } from '../../platform/text/index.js';
import type { Secret } from '../secret.repository.js';

/** Longest name of a secret, characters. */
export const MAX_SECRET_PATH = 255;

const SEGMENT = '[A-Za-z0-9_-][A-Za-z0-9._-]*';

/**
 * The name of a secret: segments of letters, digits, `.`, `_` and `-`, none beginning with a dot, joined by
 * single slashes. Every character stands for itself in a URL, and no name can climb (`..`).
 */
export const SECRET_PATH = new RegExp(`^${SEGMENT}(?:/${SEGMENT})*$`);

export function isSecretPath(path: string): boolean {
  return path.length <= MAX_SECRET_PATH && SECRET_PATH.test(path);
}

/** How a manifest names a secret: this and its path. */
const REFERENCE_PREFIX = 'vault:';
/** Longer than any reference, characters. */
export const MAX_REFERENCE = 300;

/** What is wrong with a text that should refer to a secret. */
export const NO_REFERENCE = 'must be vault:<path>, the path of a secret of the vault, never a secret itself';

/** The path in a reference; null for any other text. */
export function secretPathIn(reference: string): string | null {
  const path = reference.slice(REFERENCE_PREFIX.length);
  return reference.startsWith(REFERENCE_PREFIX) && isSecretPath(path) ? path : null;
}

export function referenceTo(path: string): string {
  return `${REFERENCE_PREFIX}${path}`;
}

/** Room for any key or certificate chain, bytes of UTF-8. */
const MAX_VALUE_BYTES = 64 * 1024;
const NO_VALUE = `must be text of 1 to ${MAX_VALUE_BYTES} bytes`;

const VALUE: TextForm = {
  max: MAX_VALUE_BYTES,
  tooLong: NO_VALUE,
  schema: { format: 'password', minLength: 1 },
  read: (text) => (valueProblem(text) === null ? text : null),
  problemOf: (value) => (typeof value === 'string' ? valueProblem(value) : null) ?? NO_VALUE,
};

/** A secret that is of no use is refused here: a hook would only say that each signature is wrong. */
function valueProblem(text: string): string | null {
  if (text === '' || Buffer.byteLength(text) > MAX_VALUE_BYTES) return NO_VALUE;
  return standardSecretProblem(text);
}

export class SetSecretBody {
  @FormField(VALUE, {
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    description: `At most ${MAX_VALUE_BYTES} bytes of UTF-8. What begins with \`whsec_\` goes on in base64.`,
  })
  value!: string;
}

export class SecretDto {
  @ApiProperty({ pattern: SECRET_PATH.source, maxLength: MAX_SECRET_PATH, example: 'github/webhook' })
  path!: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ format: 'date-time', description: 'When the value was last set.' })
  updated_at!: string;
}

export function toSecretDto({ path, createdAt, updatedAt }: Secret): SecretDto {
  return { path, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
}
