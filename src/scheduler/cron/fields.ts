/** A field of a cron expression (crontab(5)) and its allowed values. */
interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Names for numbers; the first name stands for `min`. */
  readonly names: readonly string[];
}

const FIELDS: readonly Field[] = [
  { name: 'minute', min: 0, max: 59, names: [] },
  { name: 'hour', min: 0, max: 23, names: [] },
  { name: 'day of month', min: 1, max: 31, names: [] },
  {
    name: 'month',
    min: 1,
    max: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  {
    name: 'day of week',
    min: 0,
    max: 7,
    names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
  },
];

/** `*`, `a` or `a-b`, with an optional step. */
const ITEM = /^(?:(\*)|([0-9]+|[a-z]+)(?:-([0-9]+|[a-z]+))?)(?:\/([0-9]+))?$/i;

/** Returns why these fields are not a Vixie cron expression, or null. Libraries accept more than cron does. */
export function fieldsProblem(fields: readonly string[]): string | null {
  if (fields.length === 1 && fields[0]?.startsWith('@') === true) {
    return `must be five fields; "${fields[0]}" is not supported`;
  }
  if (fields.length !== FIELDS.length) {
    const names = FIELDS.map((field) => field.name).join(', ');
    return `must be five fields (${names}), not ${fields.length}`;
  }
  for (const [index, field] of FIELDS.entries()) {
    for (const item of (fields[index] ?? '').split(',')) {
      const problem = itemProblem(item, field);
      if (problem !== null) return `has "${item}" as ${field.name}, ${problem}`;
    }
  }
  return null;
}

/**
 * The fields with each step that leads past its range, such as the minute's in step 60, written as the one value that cron
 * takes of it, the first: libraries refuse such a step.
 * @param fields of a valid expression
 */
export function withinRanges(fields: readonly string[]): string[] {
  return fields.map((text, index) => {
    const field = FIELDS[index];
    return field === undefined
      ? text
      : text
          .split(',')
          .map((item) => firstOf(item, field))
          .join(',');
  });
}

function firstOf(item: string, { min, max }: Field): string {
  const [, , first = String(min), , step = '1'] = ITEM.exec(item) ?? [];
  return Number(step) > max ? first : item;
}

function itemProblem(item: string, field: Field): string | null {
  const form = ITEM.exec(item);
  if (form === null) return 'which is none of *, a, a-b, */n and a-b/n';
  const [, star, first, last, step] = form;
  for (const text of [first, last]) {
    if (text !== undefined && valueOf(text, field) === null) return `which must be ${valuesOf(field)}`;
  }
  if (step !== undefined) {
    const any = `${field.min}-${field.max}`;
    if (star === undefined && last === undefined)
      return `but a step needs a range: */${step} or ${any}/${step}`;
    if (Number(step) === 0) return 'but a step is at least 1';
  }
  if (first === undefined || last === undefined) return null;
  return orderProblem(first, last, field);
}

function orderProblem(first: string, last: string, field: Field): string | null {
  const from = valueOf(first, field) ?? field.min;
  // Sunday is 7 at the end of a range: fri-sun.
  const isLastSunday = field.names[0] === 'sun' && last.toLowerCase() === 'sun';
  const to = isLastSunday && from > 0 ? field.max : (valueOf(last, field) ?? field.max);
  return from > to ? 'which runs backwards' : null;
}

function valueOf(text: string, field: Field): number | null {
  const named = field.names.indexOf(text.toLowerCase());
  if (named >= 0) return field.min + named;
  const value = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  return value >= field.min && value <= field.max ? value : null;
}

function valuesOf(field: Field): string {
  const numbers = `${field.min} to ${field.max}`;
  return field.names.length === 0
    ? numbers
    : `${numbers} or ${field.names[0]} to ${field.names[field.names.length - 1]}`;
}
