import { charsetOf, decodeAs, decodeText, formFields, isJsonType } from '../../../src/platform/text/index.js';

describe('a text from outside', () => {
  it.each([
    ['plain UTF-8', Buffer.from('Renée'), null, 'Renée'],
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffRenée'), null, 'Renée'],
    ['UTF-16 by its mark', Buffer.from('\ufeffRenée', 'utf16le'), null, 'Renée'],
    ['UTF-16, most significant byte first', Buffer.from('\ufeffRenée', 'utf16le').swap16(), 'utf-8', 'Renée'],
    ['windows-1252', Buffer.from([0x52, 0xe9, 0x80, 0x92]), 'windows-1252', 'Ré€’'],
    ['Latin-1, which is windows-1252 on the web', Buffer.from([0xe9, 0x85]), 'ISO-8859-1', 'é…'],
    ['Shift_JIS', Buffer.from([0x93, 0xfa]), 'shift_jis', '日'],
    ['KOI8-R', Buffer.from([0xd0]), 'koi8-r', 'п'],
  ])('in %s is read as it is meant', (_, bytes, charset, text) => {
    expect(decodeText(bytes, charset)).toEqual({ text });
  });

  it.each([
    ['bytes that are no UTF-8', Buffer.from([0xe9]), null, 'is not UTF-8'],
    ['half of a pair in UTF-16', Buffer.from([0xff, 0xfe, 0x3d, 0xd8]), null, 'is not UTF-16LE'],
    [
      'a charset that nobody knows',
      Buffer.from('a'),
      'utf-99',
      'has the charset "utf-99", which is not known',
    ],
    ['bytes that are no Shift_JIS', Buffer.from([0x80, 0xe9, 0x92]), 'shift_jis', 'is not SHIFT_JIS'],
    [
      'UTF-7, which no decoder of the web takes',
      Buffer.from('a'),
      'utf-7',
      'has the charset "utf-7", which is not known',
    ],
  ])('is refused for %s', (_, bytes, charset, problem) => {
    expect(decodeText(bytes, charset)).toEqual({ problem });
  });

  it('keeps bytes that look like a mark where the charset is known', () => {
    expect(decodeAs(Buffer.from([0xff, 0xfe]), 'windows-1252')).toEqual({ text: 'ÿþ' });
  });
});

describe('a form', () => {
  it.each([
    ['name=Ren%E9', 'windows-1252', [['name', 'René']]],
    [
      'name=Ren%C3%A9+x&b',
      null,
      [
        ['name', 'René x'],
        ['b', ''],
      ],
    ],
    ['%93%FA=%93%fa', 'shift_jis', [['日', '日']]],
    [
      'a=%&b=%4&c=%zz',
      null,
      [
        ['a', '%'],
        ['b', '%4'],
        ['c', '%zz'],
      ],
    ],
    [
      'a=1&&a=2&=3',
      null,
      [
        ['a', '1'],
        ['a', '2'],
        ['', '3'],
      ],
    ],
    ['p=%E2%82%AC', 'utf8', [['p', '€']]],
    ['a=%%34%25341%2B+%', null, [['a', '%4%341+ %']]],
    [
      'a=%EF%BB%BFz&%EF%BB%BFa=1',
      null,
      [
        ['a', '\ufeffz'],
        ['\ufeffa', '1'],
      ],
    ],
    ['a=%1B$B$"%1B(B', 'iso-2022-jp', [['a', 'あ']]],
    // A mark is no part of the text that follows it, here as in JSON.
    ['\ufeffa=1', null, [['a', '1']]],
    ['\ufeffa=%C3%A9', 'windows-1252', [['a', 'é']]],
    ['\ufeff', null, []],
  ])('%s in %s has its fields', (encoded, charset, fields) => {
    expect(formFields(Buffer.from(encoded), charset)).toEqual(fields);
  });

  it.each([
    ['name=Ren%E9', null, /The field "name" is not UTF-8.*charset/],
    ['a=1&b=%ff', 'utf-8', /The field "b"/],
    ['%e9=1', null, /The name of field 1/],
    ['a=%E9', 'utf-99', /utf-99/],
    ['a=1', 'utf-99', /^The form has the charset "utf-99", which is not known/],
    ['a=+AOk-', 'utf-7', /utf-7/],
    ['a\0=\x001\0', 'utf-16le', /in UTF-16/],
    ['\0a\0=\x001', 'utf-16be', /in UTF-16/],
    ['a=%81', 'shift_jis', /SHIFT_JIS/],
  ])('%s in %s is refused with the place', (encoded, charset, message) => {
    expect(() => formFields(Buffer.from(encoded), charset)).toThrow(message);
  });

  it('that its mark tells to be in UTF-16 is refused as such', () => {
    expect(() => formFields(Buffer.from('\ufeffa=1', 'utf16le'), null)).toThrow(/in UTF-16/);
  });
});

it.each([
  ['application/json', true, null],
  ['text/json; charset=utf-8', true, 'utf-8'],
  ['application/problem+json;charset="UTF-8"', true, 'UTF-8'],
  ['APPLICATION/JSON ; Charset=windows-1252', true, 'windows-1252'],
  ['model/gltf+json', true, null],
  ['application/jsonp', false, null],
  ['application/x-ndjson', false, null],
  ['text/plain; x=application/json', false, null],
])('the media type %s', (type, isJson, charset) => {
  expect([isJsonType(type), charsetOf(type)]).toEqual([isJson, charset]);
});
