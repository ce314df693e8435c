import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Omittable } from '../validation/dto-shape.js';
import { QueryInteger } from '../validation/query-integer.js';
import { ServiceError } from '../errors/service-error.js';

/** Query of a list that can grow: how many, and where the page before ended. */
export class PageQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 100, default: 20 })
  @Omittable()
  @QueryInteger()
  @IsInt({ message: 'must be a whole number from 1 to 100' })
  @Min(1, { message: 'must be a whole number from 1 to 100' })
  @Max(100, { message: 'must be a whole number from 1 to 100' })
  limit = 20;

  @ApiPropertyOptional({
    type: String,
    maxLength: 512,
    description: 'From the `Link` header of the page before.',
  })
  @Omittable()
  @IsString()
  @MaxLength(512)
  cursor?: string;
}

/** A page of a list, and the cursor of the next one where there is more. */
export interface Page<Item> {
  readonly items: Item[];
  readonly nextCursor: string | null;
}

/** Cuts `limit` items off a query that asked for one more, which tells whether there is a next page. */
export function pageOf<Item>(
  found: readonly Item[],
  limit: number,
  cursorOf: (last: Item) => string,
): Page<Item> {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const nextCursor = found.length > limit && last !== undefined ? encodeCursor(cursorOf(last)) : null;
  return { items, nextCursor };
}

function encodeCursor(position: string): string {
  return Buffer.from(position, 'utf8').toString('base64url');
}

/** The position that a cursor stands for. @throws validation_failed when it is not of the shape expected */
export function decodeCursor(cursor: string, shape: RegExp): string {
  const position = Buffer.from(cursor, 'base64url').toString('utf8');
  if (shape.test(position)) return position;
  throw new ServiceError('validation_failed', {
    details: [{ path: 'cursor', message: 'is not a cursor that this list gave out' }],
  });
}

/** Links the next page (RFC 8288) and gives the items, so that the body stays a plain array. */
export function sendPage<Item>(page: Page<Item>, request: FastifyRequest, reply: FastifyReply): Item[] {
  if (page.nextCursor !== null) {
    const next = new URL(request.url, 'http://localhost');
    next.searchParams.set('cursor', page.nextCursor);
    void reply.header('Link', `<${next.pathname}${next.search}>; rel="next"`);
  }
  return page.items;
}
