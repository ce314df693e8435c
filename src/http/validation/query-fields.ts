import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { Matches } from 'class-validator';
import type { FieldOptions } from './field.js';
import { BooleanField, InstantField, QueryIntField, TextField } from './fields.js';

/** For text that is not a date at all, `InstantField` reports the problem. */
const YEARS = /^(?:19[7-9]|2\d\d)\d-|^(?!\d{4}-)/;

/** A query field with an instant within the years for which calendars and clocks are known. */
export function QueryInstant(description: string): PropertyDecorator {
  return applyDecorators(
    InstantField({ optional: true, description }),
    Matches(YEARS, { message: 'must be from 1970 to 2999' }),
  );
}

/** A boolean query field. In a query every value is text. */
export function QueryFlag(description: string): PropertyDecorator {
  return QueryBooleanField({ optional: true, default: false, description });
}

/** A query field that is `true` or `false`. */
export function QueryBooleanField(options: FieldOptions): PropertyDecorator {
  return applyDecorators(
    BooleanField(options),
    Transform(({ value }: { value: unknown }) =>
      value === 'true' ? true : value === 'false' ? false : value,
    ),
  );
}

/** A query field with a number of items, at least 1. The property's initial value is its default. */
export function QueryCount({ maximum, absent }: { maximum: number; absent: number }): PropertyDecorator {
  return QueryIntField(1, maximum, { optional: true, default: absent });
}

/** A query field with the cursor of the item after which a page begins. */
export function QueryCursor(): PropertyDecorator {
  return TextField(0, 512, { optional: true, description: 'From the `Link` header of the page before.' });
}
