import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { registerDecorator } from 'class-validator';
import { TextBound } from '../../http/index.js';
import { MAX_ADDRESS_LENGTH, MIN_ADDRESS_LENGTH, normalMailbox } from '../../platform/mailbox/index.js';

/** The one form in which the address of an account is stored, compared and written to. Null for text that is not an address. */
export function normalizeEmail(raw: string): string | null {
  return normalMailbox(raw).address;
}

/** A DTO field that takes an e-mail address and holds it in its normal form. */
export function EmailField(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: String,
      format: 'email',
      example: 'ada@example.com',
      minLength: MIN_ADDRESS_LENGTH,
      maxLength: MAX_ADDRESS_LENGTH,
    }),
    TextBound(MAX_ADDRESS_LENGTH),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (normalizeEmail(value) ?? value) : value,
    ),
    (target: object, property: string | symbol) => {
      registerDecorator({
        name: 'emailAddress',
        target: target.constructor,
        propertyName: String(property),
        validator: {
          validate: (value: unknown) => typeof value === 'string' && normalMailbox(value).problem === null,
          defaultMessage: (args) =>
            normalMailbox(typeof args?.value === 'string' ? args.value : '').problem ?? '',
        },
      });
    },
  );
}
