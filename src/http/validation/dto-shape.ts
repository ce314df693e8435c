import type { Type } from '@nestjs/common';
import { getMetadataStorage, isObject, ValidateBy } from 'class-validator';
import { RawJson } from '../../platform/json/index.js';

/** How a field of any JSON is checked: whether its text can be stored, or not at all. */
export type JsonTreatment = 'storable' | 'as it came';

/** The maximum size of a value before anything else is done with it, and the message for a larger one. */
interface Bound {
  readonly max: number;
  readonly message: string;
}

type ItemCheck = (item: unknown) => string | null;
type DtoClass = Type<object>;

/** What our own decorators record about a field. */
interface FieldMarks {
  readonly json?: JsonTreatment;
  readonly itemCheck?: ItemCheck;
  /** The class of the object, or of each item of the list. */
  readonly nested?: (value: Readonly<Record<string, unknown>>) => DtoClass;
  readonly textBound?: Bound;
}

/** What a DTO class says about one of its fields, independent of any value. */
export interface FieldShape extends FieldMarks {
  readonly textBound: Bound;
  readonly itemsBound: Bound;
  /** The message for a value that is not text, in a field that accepts only text; null for any other field. */
  readonly textRule: string | null;
}

export type DtoShape = ReadonlyMap<string, FieldShape>;

/**
 * The maximum length of a text field without a limit of its own, in characters: a name, an instant, one of some words.
 */
const DEFAULT_TEXT = 1_024;
/** The maximum number of items in a list without a limit of its own. */
const DEFAULT_ITEMS = 100;
/** Rules count characters as people do. One character may be a base, a selector and several surrogate pairs. */
const UNITS_PER_CHARACTER = 4;

const marks = new Map<unknown, Map<string, FieldMarks>>();
const shapes = new WeakMap<DtoClass, DtoShape>();

function mark(more: FieldMarks): PropertyDecorator {
  return (target, property) => {
    const ofClass = marks.get(target.constructor) ?? new Map<string, FieldMarks>();
    const key = String(property);
    marks.set(target.constructor, ofClass.set(key, { ...ofClass.get(key), ...more }));
  };
}

/**
 * A field of any JSON object, kept exactly as it was sent and not converted. Its text must be storable as PostgreSQL's
 * `jsonb` (without NUL and lone surrogates) unless it is kept as text.
 */
export function JsonObject(treatment: JsonTreatment = 'storable'): PropertyDecorator {
  return (target, property) => {
    ValidateBy({
      name: 'isObject',
      validator: {
        validate: (value) => (value instanceof RawJson ? value.text.startsWith('{') : isObject(value)),
        defaultMessage: () => 'must be a JSON object',
      },
    })(target, property);
    mark({ json: treatment })(target, property);
  };
}

/**
 * A list whose items are checked one by one, so that each problem has its path: `permissions[1]`.
 * @param check what is wrong with an item, or null
 */
export function EachItem(check: ItemCheck): PropertyDecorator {
  return mark({ itemCheck: check });
}

/** An object that is a DTO itself, or a list of them. Replaces class-validator's ValidateNested, which cannot yield. */
export function NestedDto(
  classOf: (value: Readonly<Record<string, unknown>>) => DtoClass,
): PropertyDecorator {
  return mark({ nested: classOf });
}

/** Limits how many UTF-16 units of a text are read, for rules that have no limit of their own. */
export function TextBound(max: number, message = `must have at most ${max} characters`): PropertyDecorator {
  return mark({ textBound: { max, message } });
}

/** Those of the class and of the classes that it extends, the nearest last. */
function marksOf(dtoClass: unknown): [string, FieldMarks][] {
  if (typeof dtoClass !== 'function') return [];
  return [...marksOf(Object.getPrototypeOf(dtoClass)), ...(marks.get(dtoClass) ?? [])];
}

interface Rule {
  readonly name?: string;
  readonly constraints?: unknown[];
  readonly message?: unknown;
  readonly each?: boolean;
}

/** The maximum that a rule of the field already allows. */
function boundOf(rules: readonly Rule[], ruleName: string, index: number): Bound | null {
  for (const { name, constraints, message } of rules) {
    const max = constraints?.[index];
    if (name !== ruleName || typeof max !== 'number') continue;
    return { max, message: typeof message === 'string' ? message : `must have at most ${max} characters` };
  }
  return null;
}

function textBoundOf(rules: readonly Rule[]): Bound {
  const rule = boundOf(rules, 'isLength', 1) ?? boundOf(rules, 'maxLength', 0);
  return rule === null
    ? { max: DEFAULT_TEXT, message: `must have at most ${DEFAULT_TEXT} characters` }
    : { ...rule, max: rule.max * UNITS_PER_CHARACTER };
}

/**
 * Runs before the rules of the field, some of which may report the length of something without one, such as a number.
 */
function textRuleOf(rules: readonly Rule[]): string | null {
  const rule = rules.find(({ name, each }) => name === 'isString' && each !== true);
  if (rule === undefined) return null;
  return typeof rule.message === 'string' ? rule.message : 'must be text';
}

/** The fields that a DTO class declares: those with a rule, like class-validator's whitelist. */
export function shapeOf(dtoClass: DtoClass): DtoShape {
  const known = shapes.get(dtoClass);
  if (known !== undefined) return known;
  const own = new Map<string, FieldMarks>();
  for (const [field, more] of marksOf(dtoClass)) own.set(field, { ...own.get(field), ...more });
  const storage = getMetadataStorage();
  const rules = storage.groupByPropertyName(storage.getTargetValidationMetadatas(dtoClass, '', false, false));
  const shape = new Map<string, FieldShape>();
  for (const field of new Set([...Object.keys(rules), ...own.keys()])) {
    const ofField = rules[field] ?? [];
    const itemsBound = boundOf(ofField, 'arrayMaxSize', 0);
    const defaultItems = { max: DEFAULT_ITEMS, message: `must have at most ${DEFAULT_ITEMS} items` };
    shape.set(field, {
      textBound: textBoundOf(ofField),
      itemsBound: itemsBound ?? defaultItems,
      textRule: textRuleOf(ofField),
      ...own.get(field),
    });
  }
  shapes.set(dtoClass, shape);
  return shape;
}
