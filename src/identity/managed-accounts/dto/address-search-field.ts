import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { TextField } from '../../../http/index.js';

/** A query field by which accounts are found: an address as it is stored, or how it begins. */
export function AddressSearchField(description: string): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? value.trim().toLowerCase() : value,
    ),
    TextField(1, 254, { optional: true, description, example: 'ada@' }),
  );
}
