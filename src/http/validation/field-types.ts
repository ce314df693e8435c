import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsISO8601, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { Omittable } from './dto-shape.js';

/**
 * ISO 8601 knows weeks and days of the year too, which JavaScript does not. A date alone, or a time without its
 * offset, would depend on where it is read.
 */
const SHAPE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/;
const MESSAGE = 'must be an ISO 8601 instant, such as 2026-01-31T12:00:00Z';

/** A field that holds an instant. */
export function Instant(): PropertyDecorator {
  return applyDecorators(
    IsISO8601({ strict: true }, { message: MESSAGE }),
    Matches(SHAPE, { message: MESSAGE }),
  );
}

/** Of text that is no date either, `Instant` says what is wrong. */
const YEARS = /^(?:19[7-9]|2\d\d)\d-|^(?!\d{4}-)/;

/** A query field that holds an instant of a time in which calendars and clocks are known. */
export function QueryInstant(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: String, format: 'date-time', description }),
    Omittable(),
    Instant(),
    Matches(YEARS, { message: 'must be from 1970 to 2999' }),
  );
}

/** A query field that is on or off. In a query every value is text. */
export function QueryFlag(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: Boolean, default: false, description }),
    Omittable(),
    IsBoolean({ message: 'must be true or false' }),
    Transform(({ value }: { value: unknown }) =>
      value === 'true' ? true : value === 'false' ? false : value,
    ),
  );
}

/** Unsigned decimal digits: `Number` would also take `+1`, `0x1`, `1e1` and white space. */
const DIGITS = /^\d{1,9}$/;

/** A query field that says how many: a whole number from 1. The property's initial value counts where it is absent. */
export function QueryCount({ maximum, absent }: { maximum: number; absent: number }): PropertyDecorator {
  const message = `must be a whole number from 1 to ${maximum}`;
  return applyDecorators(
    ApiPropertyOptional({ type: 'integer', minimum: 1, maximum, default: absent }),
    Omittable(),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && DIGITS.test(value) ? Number(value) : value,
    ),
    IsInt({ message }),
    Min(1, { message }),
    Max(maximum, { message }),
  );
}

/** A query field that says after which item of a list a page begins. */
export function QueryCursor(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: String,
      maxLength: 512,
      description: 'From the `Link` header of the page before.',
    }),
    Omittable(),
    MaxLength(512),
    IsString(),
  );
}
