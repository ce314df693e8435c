import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { registerDecorator } from 'class-validator';
import { TextBound } from '../../http/index.js';

/** Longer than any passphrase, so that the hashed text stays small. In bytes of UTF-8. */
const MAX_BYTES = 1024;
const MESSAGE = `must be text of 1 to ${MAX_BYTES} bytes`;

/** Null for a password that is too long: normalising takes time that grows with the square of the length. */
function normalized(password: string): string | null {
  return Buffer.byteLength(password) <= MAX_BYTES ? password.normalize('NFC') : null;
}

/**
 * A DTO field that takes a password: any Unicode, in Normalization Form C so that the same keys pressed on two systems
 * are the same password. The minimum length is a policy and checked where a password is set.
 */
export function PasswordField({ required = true } = {}): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: String,
      format: 'password',
      example: 'correct horse battery',
      minLength: 1,
      description: `At most ${MAX_BYTES} bytes of UTF-8.`,
      required,
    }),
    TextBound(MAX_BYTES, MESSAGE),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? normalized(value) : value)),
    (target: object, property: string | symbol) => {
      registerDecorator({
        name: 'password',
        target: target.constructor,
        propertyName: String(property),
        validator: {
          validate: (value: unknown) => typeof value === 'string' && value.length > 0,
          defaultMessage: () => MESSAGE,
        },
      });
    },
  );
}
