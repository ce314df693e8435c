import type { ExecutionContext } from '@nestjs/common';
import { lastValueFrom, of } from 'rxjs';
import {
  decodeCursor,
  Page,
  PageInterceptor,
  PageQuery,
  pageOf,
  ServiceError,
  validated,
} from '../../../src/http/index.js';

const SHAPE = /^run_[0-9]+$/;

function itself(item: string): string {
  return item;
}

async function sent(url: string, result: unknown): Promise<{ items: unknown; link: string | undefined }> {
  const headers = new Map<string, string>();
  const reply = { header: (name: string, value: string) => headers.set(name, value) };
  const http = { getRequest: () => ({ url }), getResponse: () => reply };
  const context = { switchToHttp: () => http } as unknown as ExecutionContext;
  const items = await lastValueFrom(new PageInterceptor().intercept(context, { handle: () => of(result) }));
  return { items, link: headers.get('Link') };
}

function pageBefore(nextCursor: string | null): Page<string> {
  return new Page(['run_2'], nextCursor);
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

  it('links the next page with everything else that was asked for', async () => {
    expect(await sent('/jobs/v1/runs?limit=1&cursor=old', pageBefore('bmV3'))).toEqual({
      items: ['run_2'],
      link: '</jobs/v1/runs?limit=1&cursor=bmV3>; rel="next"',
    });
    const { link } = await sent('/jobs/v1/runs', pageBefore('bmV3'));
    expect(link).toBe('</jobs/v1/runs?cursor=bmV3>; rel="next"');
  });

  it('links nothing when it is the last', async () => {
    expect(await sent('/jobs/v1/runs', pageBefore(null))).toEqual({ items: ['run_2'], link: undefined });
  });

  it('keeps its cursor when its items are shown', () => {
    expect(pageBefore('bmV3').map((id) => ({ id }))).toEqual(new Page([{ id: 'run_2' }], 'bmV3'));
  });

  it('leaves lists without pages alone', async () => {
    expect(await sent('/jobs/v1/runs', ['run_2'])).toEqual({ items: ['run_2'], link: undefined });
  });

  it('starts at the beginning without a cursor, and after a UUID where the list has no other order', () => {
    expect(decodeCursor(undefined)).toBeNull();
    const id = '019aa3c0-7d7b-7c11-9a52-0c7c2f2f3c11';
    expect(decodeCursor(Buffer.from(id).toString('base64url'))).toBe(id);
    expect(() => decodeCursor(Buffer.from('run_1').toString('base64url'))).toThrow(ServiceError);
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
