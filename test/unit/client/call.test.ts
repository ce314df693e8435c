import { urlOf } from '../../../client/src/http/call.js';
import { List, nextCursor } from '../../../client/src/http/list.js';
import { ServiceError } from '../../../client/src/service-error.js';

describe('the address of a call', () => {
  it.each([
    ['/jobs/v1/runs/{id}', { id: 'a/b?c' }, {}, '/jobs/v1/runs/a%2Fb%3Fc'],
    ['/vault/v1/secrets/{path}', { path: 'github/web hook' }, {}, '/vault/v1/secrets/github/web%20hook'],
    ['/jobs/v1/runs', {}, { limit: 5, status: undefined, job_id: null }, '/jobs/v1/runs?limit=5'],
    ['/jobs/v1/runs', {}, { tag: ['a', 'b'], dry_run: false }, '/jobs/v1/runs?tag=a&tag=b&dry_run=false'],
  ])('%s with %j and %j is %s', (path, parameters, query, expected) => {
    const call = { method: 'GET', path, parameters: parameters as Record<string, string>, query } as const;
    expect(urlOf('https://id.example.com/base', call)).toBe(`https://id.example.com/base${expected}`);
  });

  it.each([
    ['/jobs/v1/jobs/{id}', { id: '..' }],
    ['/auth/v1/orgs/{org}/members/{user_id}', { org: 'acme', user_id: '..' }],
    ['/jobs/v1/jobs/{id}', { id: '.' }],
    ['/jobs/v1/jobs/{id}', { id: '' }],
    ['/jobs/v1/jobs/{id}', {}],
    ['/vault/v1/secrets/{path}', { path: '../../../jobs/v1/jobs/greet' }],
    ['/vault/v1/secrets/{path}', { path: 'github/' }],
  ])('%s with %j is none, since it would be that of another thing', (path, parameters) => {
    const call = { method: 'DELETE', path, parameters: parameters as Record<string, string> } as const;
    expect(() => urlOf('https://id.example.com', call)).toThrow(ServiceError);
  });
});

describe('the cursor of the next page', () => {
  it.each([
    ['</jobs/v1/runs?limit=2&cursor=abc>; rel="next"', 'abc'],
    ['<https://id.example.com/x?cursor=a%2Bb>; rel=next', 'a+b'],
    ['</first>; rel="first", </x?cursor=c>; rel="next"', 'c'],
    ['</x?cursor=c>; rel="prev"', null],
    [null, null],
  ])('in %j is %j', (link, expected) => {
    expect(nextCursor(link, 'https://id.example.com')).toBe(expected);
  });
});

describe('a list', () => {
  const pages = [[1, 2], [3], [4, 5]];
  let asked: (string | undefined)[];
  let list: List<number>;

  beforeEach(() => {
    asked = [];
    list = new List((cursor) => {
      asked.push(cursor);
      const at = Number(cursor ?? 0);
      return Promise.resolve({
        items: pages[at] ?? [],
        nextCursor: at + 1 < pages.length ? String(at + 1) : null,
      });
    });
  });

  it('gives all items, page after page', async () => {
    const items: number[] = [];
    for await (const item of list) items.push(item);
    expect([items, asked]).toEqual([
      [1, 2, 3, 4, 5],
      [undefined, '1', '2'],
    ]);
  });

  it('asks for no page that is not wanted', async () => {
    for await (const item of list) if (item === 2) break;
    expect(await list.all(3)).toEqual([1, 2, 3]);
    expect(await list.all(0)).toEqual([]);
    expect(asked).toEqual([undefined, undefined, '1']);
  });

  it('gives one page with the cursor of the next', async () => {
    expect(await list.page()).toEqual({ items: [1, 2], nextCursor: '1' });
    expect(await list.page('2')).toEqual({ items: [4, 5], nextCursor: null });
  });
});
