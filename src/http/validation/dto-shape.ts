import type { Type } from '@nestjs/common';
import { getMetadataStorage, isObject, ValidateBy } from 'class-validator';
import { RawJson } from '../../platform/json/index.js';

/** How far a field of any JSON is looked into: whether its text can be stored, or not at all. */
export type JsonTreatment = 'storable' | 'as it came';

/** How large a value may be for anything to be done with it, and what is said of a larger one. */
interface Bound {
  readonly max: number;
  readonly message: string;
}

type ItemCheck = (item: unknown) => string | null;
type DtoClass = Type<object>;

/** What our own decorators say of a field. */
interface FieldMarks {
  readonly json?: JsonTreatment;
  readonly itemCheck?: ItemCheck;
  /** The class of the object, or of each item of the list. */
  readonly nested?: (value: Readonly<Record<string, unknown>>) => DtoClass;
  readonly textBound?: Bound;
}

/** What a DTO class says of one of its fields before any value of it is looked at. */
export interface FieldShape extends FieldMarks {
  readonly textBound: Bound;
  readonly itemsBound: Bound;
  /** What is said of a value that is no text, of a field that takes text alone; null for any other. */
  readonly textRule: string | null;
}

export type DtoShape = ReadonlyMap<string, FieldShape>;

/** Characters of a text field that says nothing of its length: a name, an instant, one of some words. */
const DEFAULT_TEXT = 1_024;
/** Items of a list that says nothing of its length. */
const DEFAULT_ITEMS = 100;
/** A rule counts characters as people do; one of those may be a base, a selector and a pair of surrogates each. */
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
 * A field of any JSON object, taken exactly as it came and not converted. Its text must be storable as
 * PostgreSQL's `jsonb` (no NUL, no half of a surrogate pair) unless it is kept as text.
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
 * A list whose items are checked one by one, so that each fault names its place: `permissions[1]`.
 * @param check what is wrong with an item, or null
 */
export function EachItem(check: ItemCheck): PropertyDecorator {
  return mark({ itemCheck: check });
}

/** An object that is a DTO itself, or a list of such. In place of class-validator's ValidateNested, which cannot pause. */
export function NestedDto(
  classOf: (value: Readonly<Record<string, unknown>>) => DtoClass,
): PropertyDecorator {
  return mark({ nested: classOf });
}

/** A text that is looked at only up to so many UTF-16 units; for rules that say nothing of a length themselves. */
export function TextBound(max: number, message = `must have at most ${max} characters`): PropertyDecorator {
  return mark({ textBound: { max, message } });
}

/** Of the class and of those that it extends, the nearest last. */
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

/** The most that a rule of the field lets through already. */
function boundOf(rules: readonly Rule[], ruleName: string, place: number): Bound | null {
  for (const { name, constraints, message } of rules) {
    const max = constraints?.[place];
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

/** Before the rules of the field, of which one may speak of a length that a number does not have. */
function textRuleOf(rules: readonly Rule[]): string | null {
  const rule = rules.find(({ name, each }) => name === 'isString' && each !== true);
  if (rule === undefined) return null;
  return typeof rule.message === 'string' ? rule.message : 'must be text';
}

/** The fields that a DTO class knows: those with a rule, as class-validator's whitelist has it. */
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
