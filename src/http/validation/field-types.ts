import { Transform } from 'class-transformer';
import { applyDecorators } from '@nestjs/common';
import { IsISO8601, Matches } from 'class-validator';

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

/** Unsigned decimal digits: `Number` would also take `+1`, `0x1`, `1e1` and white space. */
const DIGITS = /^\d{1,9}$/;

/** Reads a query parameter as a number where it is one in digits; the validators beside it refuse everything else. */
export function QueryInteger(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && DIGITS.test(value) ? Number(value) : value,
  );
}
