import {
  BooleanField,
  DtoField,
  DtoListField,
  EnumField,
  EnumListField,
  InstantField,
  IntField,
  IntListField,
  JsonField,
  ListField,
  NumberField,
  PatternField,
  QueryCount,
  QueryFlag,
  QueryListField,
  Rule,
  ServiceError,
  TextField,
  UuidField,
  validated,
} from '../../../src/http/index.js';

class Place {
  @TextField(1, 5)
  city!: string;
}

class Everything {
  @TextField(1, 5, { optional: true })
  text?: string;

  @TextField(0, 5, { optional: true, nullable: true, pattern: /^[a-z]*$/, mismatch: 'must be lower case' })
  word?: string | null;

  @TextField(1, 9, { neededWith: 'password' })
  user?: string;

  @TextField(1, 9, { neededWith: 'user' })
  password?: string;

  @PatternField(/^\d\d$/, 'must have two digits', { optional: true })
  pattern?: string;

  @IntField(-2, 9, { optional: true, unit: 'seconds' })
  int?: number;

  @NumberField(0, 1, { optional: true })
  number?: number;

  @BooleanField({ optional: true })
  flag?: boolean;

  @EnumField(['one', 'two'], { optional: true })
  choice?: string;

  @EnumField(['only'], { optional: true })
  only?: string;

  @UuidField({ optional: true })
  id?: string;

  @InstantField({ optional: true })
  at?: string;

  @JsonField('storable', { optional: true })
  json?: object;

  @DtoField(Place, { optional: true })
  place?: Place;

  @DtoListField([Place], { of: 'places', max: 2, optional: true })
  places?: Place[];

  @ListField({ of: 'words', min: 1, max: 2, unique: true, optional: true }, (item) =>
    item === 'bad' ? 'must not be bad' : null,
  )
  words?: string[];

  @EnumListField(['one', 'two'], { of: 'choices', optional: true })
  choices?: string[];

  @IntListField(1, 3, { of: 'numbers', max: 2, optional: true })
  ints?: number[];

  @TextField(1, 9, { optional: true })
  @Rule((value, dto) => (value === dto.text ? 'must not be that of text' : null))
  other?: string;

  @QueryCount({ maximum: 9, absent: 4 })
  limit = 4;

  @QueryFlag('Whether.')
  deep?: boolean;

  @QueryListField(/^[a-z]$/, 'must be a letter', { max: 2, maxLength: 5 })
  letters?: string[];
}

async function problemsOf(body: object): Promise<string[]> {
  try {
    await validated(Everything, body);
    return [];
  } catch (error) {
    const { details = [] } = error as ServiceError;
    return details.map(({ path, message }) => `${path}: ${message}`);
  }
}

describe('a field of a request', () => {
  it.each<[object, Partial<Everything>]>([
    [{}, { limit: 4 }],
    [
      { text: 'höchs', word: null },
      { text: 'höchs', word: null },
    ],
    [{ text: '👩👩👩👩👩' }, { text: '👩👩👩👩👩' }],
    [
      { user: 'ada', password: 'x' },
      { user: 'ada', password: 'x' },
    ],
    [
      { int: -2, number: 0.5, flag: false },
      { int: -2, number: 0.5, flag: false },
    ],
    [
      { place: { city: 'Rome' }, places: [] },
      { place: { city: 'Rome' }, places: [] },
    ],
    [
      { words: ['a', 'b'], choices: ['two'], ints: [3] },
      { words: ['a', 'b'], choices: ['two'], ints: [3] },
    ],
    [{ at: '2026-01-31T12:00:00+01:00' }, { at: '2026-01-31T12:00:00+01:00' }],
    [
      { limit: '9', deep: 'true', letters: 'a,b' },
      { limit: 9, deep: true, letters: ['a', 'b'] },
    ],
    [{ letters: ['a'] }, { letters: ['a'] }],
  ])('takes %j', async (body, expected) => {
    expect(await validated(Everything, body)).toMatchObject(expected);
  });

  it.each<[object, ...string[]]>([
    [{ text: '' }, 'text: must have 1 to 5 characters'],
    [{ text: '👩👩👩👩👩👩' }, 'text: must have 1 to 5 characters'],
    [{ text: null }, 'text: must be text'],
    [{ text: 5 }, 'text: must be text'],
    [{ word: 'abcdef' }, 'word: must have at most 5 characters'],
    [{ word: 'A' }, 'word: must be lower case'],
    [{ user: 'ada' }, 'password: must be text'],
    [{ pattern: '1' }, 'pattern: must have two digits'],
    [{ pattern: 11 }, 'pattern: must have two digits'],
    [{ int: 10 }, 'int: must be a whole number of seconds from -2 to 9'],
    [{ int: 1.5 }, 'int: must be a whole number of seconds from -2 to 9'],
    [{ int: '1' }, 'int: must be a whole number of seconds from -2 to 9'],
    [{ number: 2 }, 'number: must be a number from 0 to 1'],
    [{ number: '0' }, 'number: must be a number from 0 to 1'],
    [{ flag: 'true' }, 'flag: must be true or false'],
    [{ choice: 'three' }, 'choice: must be one of one, two'],
    [{ only: 'other' }, 'only: must be "only"'],
    [{ id: '1' }, 'id: must be a UUID'],
    [{ at: '2026-01-31' }, 'at: must be an ISO 8601 instant, such as 2026-01-31T12:00:00Z'],
    [{ at: '2026-02-31T12:00:00Z' }, 'at: must be an ISO 8601 instant, such as 2026-01-31T12:00:00Z'],
    [{ json: [] }, 'json: must be a JSON object'],
    [{ json: { a: '\0' } }, 'json.a: must not contain NUL or unpaired surrogates'],
    [{ place: 'Rome' }, 'place: must be an object'],
    [{ place: { city: '' } }, 'place.city: must have 1 to 5 characters'],
    [{ places: [{ city: 'Rome' }, 1] }, 'places[1]: must be an object'],
    [{ places: [{}, {}, {}] }, 'places: must have at most 2 places'],
    [{ words: 'a' }, 'words: must be a list of words'],
    [{ words: [] }, 'words: must not be empty'],
    [{ words: ['a', 'a'] }, 'words: must have nothing twice'],
    [{ words: ['a', 'bad'] }, 'words[1]: must not be bad'],
    [{ choices: ['one', 'three'] }, 'choices[1]: must be one of one, two'],
    [{ ints: [0] }, 'ints[0]: must be a whole number from 1 to 3'],
    [{ text: 'a', other: 'a' }, 'other: must not be that of text'],
    [{ limit: '1e0' }, 'limit: must be a whole number from 1 to 9'],
    [{ deep: 'yes' }, 'deep: must be true or false'],
    [{ letters: 'a,B' }, 'letters: must be a letter'],
    [{ letters: 'a,b,c' }, 'letters: must have at most 2 values'],
    [{ unknown: 1 }, 'unknown: is not a known field'],
  ])('refuses %j', async (body, ...problems) => {
    expect(await problemsOf(body)).toEqual(problems);
  });
});
