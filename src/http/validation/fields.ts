import type { Type } from '@nestjs/common';
import { applyDecorators } from '@nestjs/common';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsISO8601, IsObject, IsString, IsUUID, Length, Matches } from 'class-validator';
import { JsonObject, NestedDto, TextBound } from './dto-shape.js';
import type { JsonTreatment } from './dto-shape.js';
import { field, Rule } from './field.js';
import type { FieldOptions } from './field.js';

interface TextOptions extends FieldOptions {
  /** From `^` to `$`, unless it only describes what the text must contain. */
  readonly pattern?: RegExp;
  /** The message for text that does not match. */
  readonly mismatch?: string;
}

/** Text with a limited number of characters, as people count them. */
export function TextField(
  min: number,
  max: number,
  { pattern, mismatch, ...options }: TextOptions = {},
): PropertyDecorator {
  const message = min === 0 ? `must have at most ${max} characters` : `must have ${min} to ${max} characters`;
  return field(
    {
      type: String,
      ...(min === 0 ? {} : { minLength: min }),
      maxLength: max,
      ...(pattern === undefined ? {} : { pattern: pattern.source }),
    },
    options,
    IsString({ message: 'must be text' }),
    Length(min, max, { message }),
    ...(pattern === undefined ? [] : [Matches(pattern, { message: mismatch })]),
  );
}

/** Text with a format. @param form from `^` to `$`; it also limits the length */
export function PatternField(form: RegExp, message: string, options: FieldOptions = {}): PropertyDecorator {
  return field({ type: String, pattern: form.source }, options, Matches(form, { message }));
}

interface NumberOptions extends FieldOptions {
  /** What is counted: "milliseconds". */
  readonly unit?: string;
}

function numberRule(accepts: (value: number) => boolean, message: string): PropertyDecorator {
  return Rule((value) => (typeof value === 'number' && accepts(value) ? null : message));
}

/** A whole number from `minimum` to `maximum`. */
export function IntField(
  minimum: number,
  maximum: number,
  { unit, ...options }: NumberOptions = {},
): PropertyDecorator {
  const kind = unit === undefined ? 'a whole number' : `a whole number of ${unit}`;
  return field(
    { type: 'integer', minimum, maximum },
    options,
    numberRule(
      (value) => Number.isInteger(value) && value >= minimum && value <= maximum,
      `must be ${kind} from ${minimum} to ${maximum}`,
    ),
  );
}

/** Decimal digits without a sign: `Number` would also accept `+1`, `0x1`, `1e1` and white space. */
const DIGITS = /^\d{1,12}$/;

/** `IntField` in a query, where every value is text. */
export function QueryIntField(
  minimum: number,
  maximum: number,
  options: NumberOptions = {},
): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && DIGITS.test(value) ? Number(value) : value,
    ),
    IntField(minimum, maximum, options),
  );
}

/** A number from `minimum` to `maximum`, with or without a fraction. */
export function NumberField(minimum: number, maximum: number, options: FieldOptions = {}): PropertyDecorator {
  return field(
    { type: Number, minimum, maximum },
    options,
    numberRule(
      (value) => value >= minimum && value <= maximum,
      `must be a number from ${minimum} to ${maximum}`,
    ),
  );
}

export function BooleanField(options: FieldOptions = {}): PropertyDecorator {
  return field({ type: Boolean }, options, IsBoolean({ message: 'must be true or false' }));
}

export function noneOf(values: readonly string[]): string {
  return values.length === 1 ? `must be "${values[0]}"` : `must be one of ${values.join(', ')}`;
}

/** One of several values. */
export function EnumField(values: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  return field({ enum: [...values] }, options, IsIn(values, { message: noneOf(values) }));
}

export function UuidField(options: FieldOptions = {}): PropertyDecorator {
  return field({ type: String, format: 'uuid' }, options, IsUUID(undefined, { message: 'must be a UUID' }));
}

/**
 * ISO 8601 also has weeks and ordinal dates, which JavaScript does not. A date without a time, or a time without an
 * offset, would depend on the reader's time zone.
 */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/;
const NO_INSTANT = 'must be an ISO 8601 instant, such as 2026-01-31T12:00:00Z';

export function InstantField(options: FieldOptions = {}): PropertyDecorator {
  return field(
    { type: String, format: 'date-time' },
    options,
    IsISO8601({ strict: true }, { message: NO_INSTANT }),
    Matches(INSTANT, { message: NO_INSTANT }),
  );
}

/** Any JSON object. @param treatment whether its text must be storable as `jsonb` */
export function JsonField(treatment: JsonTreatment, options: FieldOptions = {}): PropertyDecorator {
  return field({ type: 'object', additionalProperties: true }, options, JsonObject(treatment));
}

interface DtoOptions extends FieldOptions {
  /** The message for a value that is not an object. */
  readonly mismatch?: string;
}

/** An object with declared fields. */
export function DtoField(
  dtoClass: Type<object>,
  { mismatch = 'must be an object', ...options }: DtoOptions = {},
): PropertyDecorator {
  return field(
    { type: dtoClass },
    options,
    IsObject({ message: mismatch }),
    NestedDto(() => dtoClass),
  );
}

/** How text is read whose stored form differs from its input, such as an e-mail address. */
export interface TextForm {
  /** Longer values, in UTF-16 units, are not read. */
  readonly max: number;
  readonly tooLong?: string;
  readonly schema: Pick<ApiPropertyOptions, 'format' | 'minLength' | 'maxLength' | 'pattern'>;
  /** The stored form, which is read as itself; null for text in another format. */
  readonly read: (text: string) => string | null;
  /** The message for a value that cannot be read. */
  readonly problemOf: (value: unknown) => string;
}

/** Text that is converted to its stored form. */
export function FormField(
  { max, tooLong, schema, read, problemOf }: TextForm,
  options: FieldOptions = {},
): PropertyDecorator {
  return applyDecorators(
    field(
      { type: String, ...schema },
      options,
      TextBound(max, tooLong),
      Rule((value) => (typeof value === 'string' && read(value) !== null ? null : problemOf(value))),
    ),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (read(value) ?? value) : value,
    ),
  );
}
