import fc from 'fast-check';
import { RawJson, writeJson } from '../../../src/http/body/raw-json.js';

describe('an answer', () => {
  it('with JSON text among its members has it as it is, and the rest as ever', () => {
    const body = {
      id: 'x',
      payload: new RawJson('{"n":1e400 }'),
      none: undefined,
      at: new Date(0),
      list: [1],
    };
    expect(writeJson(body)).toBe(
      '{"id":"x","payload":{"n":1e400 },"at":"1970-01-01T00:00:00.000Z","list":[1]}',
    );
  });

  it('without is written like any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        expect(writeJson(body)).toBe(JSON.stringify(body));
      }),
      { numRuns: 100 },
    );
  });
});
