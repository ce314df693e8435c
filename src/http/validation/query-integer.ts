import { Transform } from 'class-transformer';

/** Unsigned decimal digits: `Number` would also take `+1`, `0x1`, `1e1` and white space. */
const DIGITS = /^\d{1,9}$/;

/** Reads a query parameter as a number where it is one in digits; the validators beside it refuse everything else. */
export function QueryInteger(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && DIGITS.test(value) ? Number(value) : value,
  );
}
