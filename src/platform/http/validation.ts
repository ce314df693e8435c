import { Injectable } from '@nestjs/common';
import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { IsObject, validate, ValidateIf } from 'class-validator';
import type { ValidationError } from 'class-validator';
import { ServiceError } from './service-error.js';
import type { FieldProblem } from './service-error.js';

/** How far a field of any JSON is looked into: whether its text can be stored, or not at all. */
type JsonTreatment = 'storable' | 'as it came';

const jsonFields = new Map<unknown, Map<string, JsonTreatment>>();

/**
 * A field of any JSON object, taken exactly as it came and not converted. Its text must be storable as
 * PostgreSQL's `jsonb` (no NUL, no half of a surrogate pair) unless it is kept as text.
 */
export function JsonObject(treatment: JsonTreatment = 'storable'): PropertyDecorator {
  return (target, property) => {
    IsObject({ message: 'must be a JSON object' })(target, property);
    const fields = jsonFields.get(target.constructor) ?? new Map<string, JsonTreatment>();
    jsonFields.set(target.constructor, fields.set(String(property), treatment));
  };
}

/**
 * A field that may be left out. `null` is a value, and seldom the right one: class-validator's IsOptional lets
 * it past every other rule of the field.
 */
export function Omittable(): PropertyDecorator {
  return ValidateIf((_dto, value) => value !== undefined);
}

/**
 * A list whose items are checked one by one, so that each fault names its place: `permissions[1]`.
 * @param check what is wrong with an item, or null
 */
export function EachItem(check: (item: unknown) => string | null): PropertyDecorator {
  return (target, property) => {
    const ofClass = itemChecks.get(target.constructor) ?? new Map<string, typeof check>();
    itemChecks.set(target.constructor, ofClass.set(String(property), check));
  };
}

const itemChecks = new Map<unknown, Map<string, (item: unknown) => string | null>>();

/** Of the class and of those that it extends. */
function checksOf(dtoClass: unknown): [string, (item: unknown) => string | null][] {
  if (typeof dtoClass !== 'function') return [];
  return [...(itemChecks.get(dtoClass) ?? []), ...checksOf(Object.getPrototypeOf(dtoClass))];
}

function itemProblems(dtoClass: unknown, plain: Readonly<Record<string, unknown>>): FieldProblem[] {
  return checksOf(dtoClass).flatMap(([field, check]) => {
    const items: unknown = plain[field];
    if (!Array.isArray(items)) return [];
    return items.flatMap((item, index) => {
      const message = check(item);
      return message === null ? [] : [{ path: `${field}[${index}]`, message }];
    });
  });
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function unstorableText(value: unknown, path: string): FieldProblem[] {
  const problem = { path, message: 'must not contain NUL or unpaired surrogates' };
  if (typeof value === 'string') return isStorable(value) ? [] : [problem];
  if (Array.isArray(value)) return value.flatMap((item, index) => unstorableText(item, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    isStorable(key) ? unstorableText(item, `${path}.${key}`) : [problem],
  );
}

/** Fields with a name that every object has (`constructor`), which the validator takes for its own. */
function inheritedNames(value: unknown, path: string): FieldProblem[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => inheritedNames(item, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const itsPath = path === '' ? key : `${path}.${key}`;
    if (key in Object.prototype) return [{ path: itsPath, message: 'is not a known field' }];
    return inheritedNames(item, itsPath);
  });
}

/** What the validator does not see of the fields of a DTO, JSON fields apart. */
function hiddenProblems(dtoClass: unknown, plain: Readonly<Record<string, unknown>>): FieldProblem[] {
  const treatments = jsonFields.get(dtoClass);
  return Object.entries(plain).flatMap(([key, value]) => {
    const treatment = treatments?.get(key);
    if (treatment === 'as it came') return [];
    if (treatment === 'storable') return unstorableText(value, key);
    return [...inheritedNames({ [key]: value }, ''), ...unstorableText(value, key)];
  });
}

function flatten(errors: readonly ValidationError[], parent: string): FieldProblem[] {
  return errors.flatMap((error) => {
    const isIndex = /^\d+$/.test(error.property);
    const path = isIndex
      ? `${parent}[${error.property}]`
      : parent === ''
        ? error.property
        : `${parent}.${error.property}`;
    const own = Object.entries(error.constraints ?? {}).map(([rule, message]) => ({
      path,
      message:
        rule === 'whitelistValidation' ? 'is not a known field' : message.replace(`${error.property} `, ''),
    }));
    return [...own, ...flatten(error.children ?? [], path)];
  });
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON fields go round the converter, which takes the values under `constructor` for classes. */
function toInstance<Dto extends object>(dtoClass: Type<Dto>, plain: Readonly<Record<string, unknown>>): Dto {
  const isJson = ([key]: [string, unknown]): boolean => jsonFields.get(dtoClass)?.has(key) === true;
  const fields = Object.entries(plain);
  const converted = Object.fromEntries(fields.filter((field) => !isJson(field)));
  const dto = plainToInstance(dtoClass, converted, { exposeUnsetFields: false });
  return Object.assign(dto, Object.fromEntries(fields.filter(isJson)));
}

/**
 * A body or query as an instance of its DTO class.
 * @throws validation_failed with every problem at once, each with its path
 */
export async function validated<Dto extends object>(dtoClass: Type<Dto>, value: unknown): Promise<Dto> {
  const plain = value === undefined ? {} : value;
  if (!isPlainObject(plain)) {
    throw new ServiceError('validation_failed', {
      details: [{ path: '', message: 'must be a JSON object' }],
    });
  }
  const dto = toInstance(dtoClass, plain);
  const errors = await validate(dto, { whitelist: true, forbidNonWhitelisted: true, stopAtFirstError: true });
  const seen = flatten(errors, '');
  const hidden = hiddenProblems(dtoClass, plain).filter(({ path }) =>
    seen.every((known) => known.path !== path),
  );
  const details = [...seen, ...itemProblems(dtoClass, plain), ...hidden];
  if (details.length > 0) throw new ServiceError('validation_failed', { details });
  return dto;
}

/** Validates what a route declares with a DTO class, and keeps unstorable text out of path and query. */
@Injectable()
export class DtoPipe implements PipeTransform {
  async transform(value: unknown, { metatype, type, data }: ArgumentMetadata): Promise<unknown> {
    if (metatype === undefined || type === 'custom' || isScalar(metatype)) {
      const details = type === 'param' ? unstorableText(value, data ?? '') : [];
      if (details.length > 0) throw new ServiceError('validation_failed', { details });
      return value;
    }
    return await validated(metatype as Type<object>, value);
  }
}

function isScalar(metatype: unknown): boolean {
  return metatype === String || metatype === Number || metatype === Boolean || metatype === Object;
}
