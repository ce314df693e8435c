import { Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map } from 'rxjs';
import type { Observable } from 'rxjs';
import { UUID_PATTERN } from '../../platform/crypto/index.js';
import { QueryCount, QueryCursor } from '../validation/query-fields.js';
import { ServiceError } from '../errors/service-error.js';

/** The query of a list that can grow: the page size, and the cursor of the page before. */
export class PageQuery {
  @QueryCount({ maximum: 100, absent: 20 })
  limit = 20;

  @QueryCursor()
  cursor?: string;
}

/** A page of a list, and the cursor of the next one, if there is one. `PageInterceptor` sends it. */
export class Page<Item> {
  constructor(
    readonly items: readonly Item[],
    readonly nextCursor: string | null,
  ) {}

  /** A page that continues after a position, whatever the number of its items; null at the end of the list. */
  static until<Item>(items: readonly Item[], position: string | null): Page<Item> {
    return new Page(items, position === null ? null : encodeCursor(position));
  }

  map<Other>(show: (item: Item) => Other): Page<Other> {
    return new Page(this.items.map(show), this.nextCursor);
  }
}

/** Cuts a list to `limit` items. The query asked for one more item, which shows whether there is a next page. */
export function pageOf<Item>(
  found: readonly Item[],
  limit: number,
  cursorOf: (last: Item) => string,
): Page<Item> {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const nextCursor = found.length > limit && last !== undefined ? encodeCursor(cursorOf(last)) : null;
  return new Page(items, nextCursor);
}

/** The cursor of the page that starts after this position. */
export function encodeCursor(position: string): string {
  return Buffer.from(position, 'utf8').toString('base64url');
}

const BY_ID = new RegExp(`^${UUID_PATTERN}$`);

/**
 * The position after which a page starts; null without a cursor, for the first page.
 * @param shape of the positions of this list, which is in the order of its UUIDs if not given
 * @throws validation_failed for a cursor of another list
 */
export function decodeCursor(cursor: string | undefined, shape = BY_ID): string | null {
  if (cursor === undefined) return null;
  const position = Buffer.from(cursor, 'base64url').toString('utf8');
  if (shape.test(position)) return position;
  throw new ServiceError('validation_failed', {
    details: [{ path: 'cursor', message: 'is not a cursor that this list gave out' }],
  });
}

/** Sends a page as a plain array, and links the next page in a header (RFC 8288). */
@Injectable()
export class PageInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    return next
      .handle()
      .pipe(
        map((result: unknown) =>
          result instanceof Page
            ? sendPage(result, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>())
            : result,
        ),
      );
  }
}

function sendPage(
  { items, nextCursor }: Page<unknown>,
  request: FastifyRequest,
  reply: FastifyReply,
): unknown {
  if (nextCursor !== null) {
    const next = new URL(request.url, 'http://localhost');
    next.searchParams.set('cursor', nextCursor);
    void reply.header('Link', `<${next.pathname}${next.search}>; rel="next"`);
  }
  return items;
}

/**
 * A position in a list ordered by time: microseconds since 1970, as PostgreSQL stores them, and a key to break ties.
 */
export interface ListPosition {
  readonly atMicros: string;
  readonly key: string;
}

export function positionText({ atMicros, key }: ListPosition): string {
  return `${atMicros}.${key}`;
}

/**
 * The position that a cursor contains, or null without a cursor.
 * @param key the source of a pattern that the key must match
 * @throws validation_failed
 */
export function positionOf(cursor: string | undefined, key: string): ListPosition | null {
  const position = decodeCursor(cursor, new RegExp(`^\\d{1,16}\\.${key}$`));
  if (position === null) return null;
  const separator = position.indexOf('.');
  return { atMicros: position.slice(0, separator), key: position.slice(separator + 1) };
}
