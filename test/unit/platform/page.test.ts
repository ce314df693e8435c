import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  decodeCursor,
  PageQuery,
  pageOf,
  sendPage,
  ServiceError,
  validated,
} from '../../../src/platform/http/index.js';

const SHAPE = /^run_[0-9]+$/;

function itself(item: string): string {
  return item;
}

function sent(url: string, nextCursor: string | null): { items: string[]; link: string | undefined } {
  const headers = new Map<string, string>();
  const reply = { header: (name: string, value: string) => headers.set(name, value) };
  const page = { items: ['run_2'], nextCursor };
  const items = sendPage(page, { url } as FastifyRequest, reply as unknown as FastifyReply);
  return { items, link: headers.get('Link') };
}

describe('a page of a list', () => {
  it('holds back the item that tells of a next page, and its cursor leads there', () => {
    const { items, nextCursor } = pageOf(['run_3', 'run_2', 'run_1'], 2, itself);
    expect(items).toEqual(['run_3', 'run_2']);
    expect(decodeCursor(nextCursor ?? '', SHAPE)).toBe('run_2');
  });

  it.each([[[]], [['run_1']], [['run_2', 'run_1']]])('is the last with %j', (found) => {
    expect(pageOf(found, 2, itself)).toEqual({ items: found, nextCursor: null });
  });

  it('links the next page with everything else that was asked for', () => {
    expect(sent('/jobs/v1/runs?limit=1&cursor=old', 'bmV3')).toEqual({
      items: ['run_2'],
      link: '</jobs/v1/runs?limit=1&cursor=bmV3>; rel="next"',
    });
    expect(sent('/jobs/v1/runs', 'bmV3').link).toBe('</jobs/v1/runs?cursor=bmV3>; rel="next"');
  });

  it('links nothing when it is the last', () => {
    expect(sent('/jobs/v1/runs', null)).toEqual({ items: ['run_2'], link: undefined });
  });

  it.each([
    '',
    'nonsense',
    '%',
    Buffer.from('run_x').toString('base64url'),
    Buffer.from('run_1\n;').toString('base64url'),
  ])('does not begin at %j', (cursor) => {
    expect(() => decodeCursor(cursor, SHAPE)).toThrow(ServiceError);
  });

  it.each([
    ['1', 1],
    ['100', 100],
    [undefined, 20],
  ])('has limit=%s as %i items', async (limit, items) => {
    expect(await validated(PageQuery, limit === undefined ? {} : { limit })).toMatchObject({ limit: items });
  });

  it.each(['0', '101', '1e1', '0x10', '1.0', '-1', '+1', ' 1', '', 'ten', '9'.repeat(40), ['1', '2']])(
    'refuses limit=%j',
    async (limit) => {
      await expect(validated(PageQuery, { limit })).rejects.toMatchObject({ code: 'validation_failed' });
    },
  );
});
