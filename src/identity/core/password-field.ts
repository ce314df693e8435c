import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { registerDecorator } from 'class-validator';

/** Longer than any passphrase; what is hashed stays small. Bytes of UTF-8. */
const MAX_BYTES = 1024;

/**
 * A DTO field that takes a password: any Unicode, in Normalization Form C so that the same keys pressed on
 * two systems are the same password. The least length is policy and checked where a password is set.
 */
export function PasswordField({ required = true } = {}): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: String,
      format: 'password',
      example: 'correct horse battery staple',
      minLength: 1,
      required,
    }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? value.normalize('NFC') : value,
    ),
    (target: object, property: string | symbol) => {
      registerDecorator({
        name: 'password',
        target: target.constructor,
        propertyName: String(property),
        validator: {
          validate: (value: unknown) =>
            typeof value === 'string' && value.length > 0 && Buffer.byteLength(value) <= MAX_BYTES,
          defaultMessage: () => `must be text of 1 to ${MAX_BYTES} bytes`,
        },
      });
    },
  );
}
