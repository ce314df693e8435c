/** A page of a list, and the cursor of the next one, if there is one. */
export interface Page<Item> {
  readonly items: Item[];
  readonly nextCursor: string | null;
}

/**
 * A list of the service, which asks for one page after the other while it is read:
 *
 *     for await (const run of client.runs.list({ status: 'failed' })) console.log(run.id);
 */
export class List<Item> implements AsyncIterable<Item> {
  /** @param fetchPage requests the page at a cursor; without one, the first page */
  constructor(private readonly fetchPage: (cursor?: string) => Promise<Page<Item>>) {}

  /** One page: the first, or the one at a cursor. */
  async page(cursor?: string): Promise<Page<Item>> {
    return await this.fetchPage(cursor);
  }

  /** One page after the other. */
  async *pages(): AsyncGenerator<Item[], void, undefined> {
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page: Page<Item> = await this.fetchPage(cursor);
      yield page.items;
      cursor = page.nextCursor;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const items of this.pages()) yield* items;
  }

  /** All items in one array, or at most the first `limit` of them. */
  async all(limit = Number.POSITIVE_INFINITY): Promise<Item[]> {
    const found: Item[] = [];
    if (limit <= 0) return found;
    for await (const items of this.pages()) {
      found.push(...items);
      if (found.length >= limit) return found.slice(0, limit);
    }
    return found;
  }
}

const NEXT = /<([^>]*)>\s*;[^,]*\brel="?next"?/i;

/** The cursor in the header `Link: <…>; rel="next"` (RFC 8288); null on the last page. */
export function nextCursor(link: string | null, base: string): string | null {
  const target = link === null ? undefined : NEXT.exec(link)?.[1];
  return target === undefined ? null : new URL(target, base).searchParams.get('cursor');
}
