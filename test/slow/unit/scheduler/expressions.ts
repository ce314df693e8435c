import fc from 'fast-check';

/** A field's items: `*`, numbers, names, ranges and steps, as crontab(5) has them. */
function field(min: number, max: number, names: readonly string[] = []): fc.Arbitrary<string> {
  const value = fc
    .tuple(fc.integer({ min, max }), fc.boolean())
    .map(([number, named]) => (named ? (names[number - min] ?? String(number)) : String(number)));
  const range = fc
    .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
    .map(([one, other]) => `${Math.min(one, other)}-${Math.max(one, other)}`);
  const step = fc.integer({ min: 1, max });
  const item = fc.oneof(
    value,
    range,
    fc.tuple(range, step).map(([whole, every]) => `${whole}/${every}`),
    step.map((every) => `*/${every}`),
  );
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant('*') },
    { weight: 4, arbitrary: value },
    {
      weight: 3,
      arbitrary: fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => items.join(',')),
    },
  );
}

const MONTHS = ['jan', 'FEB', 'Mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'MON', 'Tue', 'wed', 'thu', 'fri', 'sat'];

/** Expressions of every form; months rarely narrowed, or hardly one would fire near a given clock change. */
export const expressions: fc.Arbitrary<string> = fc
  .tuple(
    field(0, 59),
    field(0, 23),
    field(1, 31),
    fc.oneof({ weight: 6, arbitrary: fc.constant('*') }, { weight: 1, arbitrary: field(1, 12, MONTHS) }),
    fc.oneof({ weight: 2, arbitrary: fc.constant('*') }, { weight: 2, arbitrary: field(0, 7, DAYS) }),
  )
  .map((fields) => fields.join(' '));
