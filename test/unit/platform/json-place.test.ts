import { pathOfName } from '../../../src/http/body/json-path.js';

describe('the place of a name in JSON', () => {
  it.each([
    ['{"a":1,"HERE":2}', 'HERE'],
    ['{"jobs":[{"id":"}"},{"id":"x, [","triggers":[{}, {"n":1}],"HERE":1}]}', 'jobs[1].HERE'],
    ['{"metadata": {"a":{"b,":[]},"c":{"d":1, "HERE":2}}}', 'metadata.c.HERE'],
    ['[[1,2],[{"HERE":1}]]', '[1][0].HERE'],
  ])('in %s is %s', (text, place) => {
    expect(pathOfName(text, text.indexOf('"HERE"'))).toBe(place);
  });
});
