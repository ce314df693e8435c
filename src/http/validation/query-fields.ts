import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { Matches } from 'class-validator';
import { BooleanField, InstantField, QueryIntField, TextField } from './fields.js';

/** Of text that is no date either, `InstantField` says what is wrong. */
const YEARS = /^(?:19[7-9]|2\d\d)\d-|^(?!\d{4}-)/;

/** A query field that holds an instant of a time in which calendars and clocks are known. */
export function QueryInstant(description: string): PropertyDecorator {
  return applyDecorators(
    InstantField({ optional: true, description }),
    Matches(YEARS, { message: 'must be from 1970 to 2999' }),
  );
}

/** A query field that is on or off. In a query every value is text. */
export function QueryFlag(description: string): PropertyDecorator {
  return applyDecorators(
    BooleanField({ optional: true, default: false, description }),
    Transform(({ value }: { value: unknown }) =>
      value === 'true' ? true : value === 'false' ? false : value,
    ),
  );
}

/** A query field that says how many: from 1. The property's initial value counts where it is absent. */
export function QueryCount({ maximum, absent }: { maximum: number; absent: number }): PropertyDecorator {
  return QueryIntField(1, maximum, { optional: true, default: absent });
}

/** A query field that says after which item of a list a page begins. */
export function QueryCursor(): PropertyDecorator {
  return TextField(0, 512, { optional: true, description: 'From the `Link` header of the page before.' });
}
