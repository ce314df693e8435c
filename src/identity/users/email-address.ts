import { FormField } from '../../http/index.js';
import type { FieldOptions } from '../../http/index.js';
import { MAX_ADDRESS_LENGTH, MIN_ADDRESS_LENGTH, normalMailbox } from '../../platform/mailbox/index.js';

/** The one form in which the address of an account is stored, compared and written to. Null for text that is not an address. */
export function normalizeEmail(raw: string): string | null {
  return normalMailbox(raw).address;
}

/** An e-mail address, held in its normal form. */
export function EmailField(options: FieldOptions = {}): PropertyDecorator {
  return FormField(
    {
      max: MAX_ADDRESS_LENGTH,
      schema: { format: 'email', minLength: MIN_ADDRESS_LENGTH, maxLength: MAX_ADDRESS_LENGTH },
      read: normalizeEmail,
      problemOf: (value) => normalMailbox(typeof value === 'string' ? value : '').problem ?? '',
    },
    { example: 'ada@example.com', ...options },
  );
}
