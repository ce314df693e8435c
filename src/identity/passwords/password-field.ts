import { FormField } from '../../http/index.js';
import type { FieldOptions } from '../../http/index.js';

/** Longer than any passphrase, so that the hashed text stays small. In bytes of UTF-8. */
const MAX_BYTES = 1024;
const MESSAGE = `must be text of 1 to ${MAX_BYTES} bytes`;

/** Null for one that is empty or too long: normalising takes time that grows with the square of the length. */
function normalized(password: string): string | null {
  const fits = password !== '' && Buffer.byteLength(password) <= MAX_BYTES;
  return fits ? password.normalize('NFC') : null;
}

/**
 * A password: any Unicode, in Normalization Form C so that the same keys pressed on two systems
 * are the same password. The minimum length is a policy and checked where a password is set.
 */
export function PasswordField(options: FieldOptions = {}): PropertyDecorator {
  return FormField(
    {
      max: MAX_BYTES,
      tooLong: MESSAGE,
      schema: { format: 'password', minLength: 1 },
      read: normalized,
      problemOf: () => MESSAGE,
    },
    {
      example: 'correct horse battery',
      description: `At most ${MAX_BYTES} bytes of UTF-8.`,
      ...options,
    },
  );
}
