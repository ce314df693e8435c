import type { Type } from '@nestjs/common';
import { applyDecorators } from '@nestjs/common';
import { getSchemaPath } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, Matches } from 'class-validator';
import { EachItem, NestedDto, TextBound } from './dto-shape.js';
import { field } from './field.js';
import type { FieldOptions } from './field.js';
import { noneOf } from './fields.js';

interface ListOptions extends FieldOptions {
  /** What the items are called: "hosts". */
  readonly of: string;
  /** 0 by default. */
  readonly min?: number;
  readonly max: number;
  /** Whether items must be unique. */
  readonly unique?: boolean;
}

function listField(
  schema: object,
  { of, min = 0, max, unique = false, ...options }: ListOptions,
  rule: PropertyDecorator | null,
): PropertyDecorator {
  const bounds = { ...(min === 0 ? {} : { minItems: min }), maxItems: max };
  return field(
    { ...schema, ...bounds, ...(unique ? { uniqueItems: true } : {}) },
    options,
    IsArray({ message: `must be a list of ${of}` }),
    ArrayMinSize(min, { message: min === 1 ? 'must not be empty' : `must have at least ${min} ${of}` }),
    ArrayMaxSize(max, { message: `must have at most ${max} ${of}` }),
    ...(unique ? [ArrayUnique({ message: 'must have nothing twice' })] : []),
    ...(rule === null ? [] : [rule]),
  );
}

/**
 * A list of texts that are checked one by one, so that each problem has its path: `permissions[1]`.
 * @param check what is wrong with an item, or null; without it, the items are not checked here
 */
export function ListField(options: ListOptions, check?: (item: unknown) => string | null): PropertyDecorator {
  return listField({ type: [String] }, options, check === undefined ? null : EachItem(check));
}

/** A list of texts with a format. */
export function PatternListField(form: RegExp, message: string, options: ListOptions): PropertyDecorator {
  const check = EachItem((item) => (typeof item === 'string' && form.test(item) ? null : message));
  return listField({ type: 'array', items: { type: 'string', pattern: form.source } }, options, check);
}

/** A list of some of the values, each at most once. */
export function EnumListField(
  values: readonly string[],
  options: Omit<ListOptions, 'max' | 'unique'>,
): PropertyDecorator {
  const check = EachItem((item) => ((values as readonly unknown[]).includes(item) ? null : noneOf(values)));
  return listField(
    { enum: [...values], isArray: true },
    { ...options, max: values.length, unique: true },
    check,
  );
}

/** A list of whole numbers from `minimum` to `maximum`. */
export function IntListField(minimum: number, maximum: number, options: ListOptions): PropertyDecorator {
  const check = EachItem((item) =>
    Number.isInteger(item) && Number(item) >= minimum && Number(item) <= maximum
      ? null
      : `must be a whole number from ${minimum} to ${maximum}`,
  );
  return listField({ type: 'array', items: { type: 'integer', minimum, maximum } }, options, check);
}

interface DtoListOptions extends ListOptions {
  /** The class of an item, chosen by the item itself; by default the first one. */
  readonly classOf?: Parameters<typeof NestedDto>[0];
}

/** A list of objects with declared fields. @param classes of the items; name several of them in `ApiExtraModels` too */
export function DtoListField(
  classes: readonly [Type<object>, ...Type<object>[]],
  { classOf = () => classes[0], ...options }: DtoListOptions,
): PropertyDecorator {
  const oneOf = classes.map((dtoClass) => ({ $ref: getSchemaPath(dtoClass) }));
  return listField(
    classes.length === 1 ? { type: [classes[0]] } : { type: 'array', items: { oneOf } },
    options,
    NestedDto(classOf),
  );
}

interface QueryListOptions extends FieldOptions {
  readonly max: number;
  /** The length of the whole text, in characters. */
  readonly maxLength: number;
}

/** One value, or several separated by commas, in a query; in a body also a list of them. May be omitted. */
export function QueryListField(
  form: RegExp,
  message: string,
  { max, maxLength, ...options }: QueryListOptions,
): PropertyDecorator {
  const one = form.source.slice(1, -1);
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.split(',') : value)),
    TextBound(maxLength),
    field(
      { type: String, pattern: `^${one}(,${one})*$`, maxLength },
      { ...options, optional: true },
      IsArray({ message }),
      ArrayMaxSize(max, { message: `must have at most ${max} values` }),
      Matches(form, { each: true, message }),
    ),
  );
}
