import { Injectable } from '@nestjs/common';
import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { plainToInstance, Transform } from 'class-transformer';
import { IsObject, validate } from 'class-validator';
import type { ValidationError } from 'class-validator';
import { ServiceError } from './service-error.js';
import type { FieldProblem } from './service-error.js';

/**
 * A field of any JSON, taken exactly as it came: neither converted nor looked into.
 *
 * Text in the other fields must be storable: no NUL, no half of a surrogate pair.
 */
export function JsonObject(): PropertyDecorator {
  return (target, property) => {
    IsObject({ message: 'must be a JSON object' })(target, property);
    Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) => obj[key])(target, property);
    opaqueFields.set(
      target.constructor,
      (opaqueFields.get(target.constructor) ?? new Set()).add(String(property)),
    );
  };
}

const opaqueFields = new Map<unknown, Set<string>>();

function unstorableText(value: unknown, path: string, opaque: ReadonlySet<string>): FieldProblem[] {
  if (typeof value === 'string') {
    return value.includes('\0') || !value.isWellFormed()
      ? [{ path, message: 'must not contain NUL or unpaired surrogates' }]
      : [];
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => unstorableText(item, `${path}[${index}]`, opaque));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    opaque.has(key) ? [] : unstorableText(item, path === '' ? key : `${path}.${key}`, opaque),
  );
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

/**
 * A body or query as an instance of its DTO class.
 * @throws validation_failed with every problem at once, each with its path
 */
export async function validated<Dto extends object>(dtoClass: Type<Dto>, value: unknown): Promise<Dto> {
  const plain = value ?? {};
  if (!isPlainObject(plain)) {
    throw new ServiceError('validation_failed', {
      details: [{ path: '', message: 'must be a JSON object' }],
    });
  }
  const unstorable = unstorableText(plain, '', opaqueFields.get(dtoClass) ?? new Set());
  const dto = plainToInstance(dtoClass, plain, { exposeUnsetFields: false });
  const errors = await validate(dto, { whitelist: true, forbidNonWhitelisted: true, stopAtFirstError: true });
  const details = [...flatten(errors, ''), ...unstorable];
  if (details.length > 0) throw new ServiceError('validation_failed', { details });
  return dto;
}

/** Validates what a route declares with a DTO class, and keeps unstorable text out of path and query. */
@Injectable()
export class DtoPipe implements PipeTransform {
  async transform(value: unknown, { metatype, type, data }: ArgumentMetadata): Promise<unknown> {
    if (metatype === undefined || type === 'custom' || isScalar(metatype)) {
      const details = type === 'param' ? unstorableText(value, data ?? '', new Set()) : [];
      if (details.length > 0) throw new ServiceError('validation_failed', { details });
      return value;
    }
    return await validated(metatype as Type<object>, value);
  }
}

function isScalar(metatype: unknown): boolean {
  return metatype === String || metatype === Number || metatype === Boolean || metatype === Object;
}
