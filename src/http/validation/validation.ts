import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { RawJson } from '../../platform/json/index.js';
import { TimeSlice } from '../../platform/lifecycle/index.js';
import { shapeOf } from './dto-shape.js';
import type { DtoShape, FieldShape } from './dto-shape.js';
import { FieldProblems } from './field-problems.js';
import { keepRules } from './kept-rules.js';

keepRules();

const UNSTORABLE = 'must not contain NUL or unpaired surrogates';

type Fields = Readonly<Record<string, unknown>>;

/** The validation of one request: the problems found so far, and its time slice. */
interface Reading {
  readonly problems: FieldProblems;
  readonly slice: TimeSlice;
}

/** The well-formed part of a request, and the problems with the rest. */
export interface Inspected<Dto> {
  /** Without the fields that have problems; null if the request is not an object. */
  readonly dto: Partial<Dto> | null;
  readonly problems: FieldProblems;
}

function isPlainObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Whether `jsonb` can store the texts of a value. */
export function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (Array.isArray(value)) return value.every(isStorableJson);
  if (typeof value !== 'object' || value === null) return true;
  return Object.keys(value).every((key) => isStorable(key) && isStorableJson((value as Fields)[key]));
}

function reportUnstorable(value: unknown, path: string, problems: FieldProblems): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) problems.add(path, UNSTORABLE);
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) reportUnstorable(item, `${path}[${index}]`, problems);
  } else if (isPlainObject(value)) {
    for (const key of Object.keys(value)) {
      if (isStorable(key)) reportUnstorable(value[key], `${path}.${key}`, problems);
      else problems.add(path, UNSTORABLE);
    }
  }
}

function within(parent: string, field: string): string {
  return parent === '' ? field : `${parent}.${field}`;
}

/** Why a value is not checked further: its size, or that it is not text. */
function misfit(value: unknown, { textBound, itemsBound, textRule, json }: FieldShape): string | null {
  if (typeof value === 'string') return value.length > textBound.max ? textBound.message : null;
  if (Array.isArray(value) && json === undefined && value.length > itemsBound.max) return itemsBound.message;
  // The rules of the field decide about null, which some accept.
  return value === null ? null : textRule;
}

/**
 * The object as an instance of its class, with its fields converted, except lists and objects. The converter would walk
 * through those, and would use values under `constructor` as classes.
 */
function converted<Dto extends object>(dtoClass: Type<Dto>, fields: Fields): Dto {
  const scalars: Record<string, unknown> = {};
  const others: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(fields))
    (typeof value === 'object' && value !== null ? others : scalars)[field] = value;
  return Object.assign(plainToInstance(dtoClass, scalars, { exposeUnsetFields: false }), others);
}

/** The declared fields of the object. The others are problems. */
function knownFields(
  plain: Fields,
  path: string,
  shape: DtoShape,
  problems: FieldProblems,
): Map<string, unknown> {
  const known = new Map<string, unknown>();
  for (const field of Object.keys(plain)) {
    if (shape.has(field)) known.set(field, plain[field]);
    else problems.addUnknown(within(path, field));
  }
  return known;
}

/** In this order: size, the rules of each field, its items, and whether the remaining values can be stored. */
async function readObject<Dto extends object>(
  dtoClass: Type<Dto>,
  plain: Fields,
  path: string,
  { problems, slice }: Reading,
): Promise<Partial<Dto>> {
  await slice.yieldIfSpent();
  const shape = shapeOf(dtoClass);
  const fields = knownFields(plain, path, shape, problems);
  const faulty = new Set<string>();
  const refuse = (field: string, message: string): void => {
    faulty.add(field);
    problems.add(within(path, field), message);
  };
  for (const [field, value] of fields) {
    const ofField = shape.get(field);
    const message = ofField === undefined ? null : misfit(value, ofField);
    if (message === null) continue;
    refuse(field, message);
    // Marks the field as present, for rules that require one field beside another.
    fields.set(field, '');
  }
  const dto = converted(dtoClass, Object.fromEntries(fields));
  const rules = { stopAtFirstError: true, validationError: { target: false, value: false } };
  for (const { property, constraints = {} } of await validate(dto, rules)) {
    const [message] = Object.values(constraints);
    if (message !== undefined && !faulty.has(property)) refuse(property, message);
  }
  const values = dto as Record<string, unknown>;
  for (const [field, value] of fields) {
    if (faulty.has(field)) values[field] = undefined;
    else
      values[field] = await readField(values[field], value, within(path, field), shape.get(field), {
        problems,
        slice,
      });
  }
  return dto;
}

/** @param raw the value before any conversion @returns undefined if something in it is wrong */
async function readField(
  value: unknown,
  raw: unknown,
  path: string,
  shape: FieldShape | undefined,
  reading: Reading,
): Promise<unknown> {
  const { problems } = reading;
  if (shape?.nested !== undefined) return await readNested(value, path, shape.nested, reading);
  const before = problems.count;
  if (shape?.itemCheck !== undefined && Array.isArray(raw)) {
    for (const [index, item] of raw.entries()) {
      const message = shape.itemCheck(item);
      if (message !== null) problems.add(`${path}[${index}]`, message);
    }
  }
  if (shape?.json === 'as it came') return value;
  const looked = raw instanceof RawJson ? raw.value() : raw;
  if (!isStorableJson(looked)) reportUnstorable(looked, path, problems);
  return problems.count === before ? value : undefined;
}

async function readNested(
  value: unknown,
  path: string,
  classOf: NonNullable<FieldShape['nested']>,
  reading: Reading,
): Promise<unknown> {
  const read = async (item: unknown, itsPath: string): Promise<unknown> => {
    if (isPlainObject(item)) return await readObject(classOf(item), item, itsPath, reading);
    reading.problems.add(itsPath, 'must be an object');
    return undefined;
  };
  // If the field does not accept null, its rules have refused it.
  if (value === undefined || value === null) return value;
  if (!Array.isArray(value)) return await read(value, path);
  const items: unknown[] = [];
  for (const [index, item] of value.entries()) items.push(await read(item, `${path}[${index}]`));
  return items;
}

/** A body or query as an instance of its DTO class, as far as it is valid, with all problems. */
export async function inspected<Dto extends object>(
  dtoClass: Type<Dto>,
  value: unknown,
): Promise<Inspected<Dto>> {
  const problems = new FieldProblems();
  const plain = value === undefined ? {} : value;
  if (!isPlainObject(plain)) {
    problems.add('', 'must be a JSON object');
    return { dto: null, problems };
  }
  const dto = await readObject(dtoClass, plain, '', { problems, slice: new TimeSlice() });
  return { dto, problems };
}

/**
 * A body or query as an instance of its DTO class.
 * @throws validation_failed with all problems at once, each with its path
 */
export async function validated<Dto extends object>(dtoClass: Type<Dto>, value: unknown): Promise<Dto> {
  const { dto, problems } = await inspected(dtoClass, value);
  problems.requireNone();
  return dto as Dto;
}

/** The router's name for the rest of a path. */
const REST = '*';

/**
 * Refuses path parameters that cannot be stored as text. Runs before the guards, which look some of them up.
 * @throws validation_failed
 */
export function requireStorablePath(params: unknown): void {
  if (!isPlainObject(params)) return;
  const problems = new FieldProblems();
  for (const [name, value] of Object.entries(params))
    reportUnstorable(value, name === REST ? 'path' : name, problems);
  problems.requireNone();
}
