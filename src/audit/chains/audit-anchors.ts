import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DerivedKey, KeyRing } from '../../platform/crypto/index.js';
import type { Database } from '../../platform/database/index.js';
import { rows } from '../../platform/database/index.js';
import type { AnchoredHead } from './anchor-check.js';
import { ChainRepository } from './chain.repository.js';

const PURPOSE = 'service audit anchor';
const BATCH = 1_000;

interface HeadLine {
  readonly chain: string;
  readonly length: number;
  readonly head_hash: string;
}

/** The last line, which covers all lines before it. */
interface AnchorEnd {
  readonly at: string;
  readonly chains: number;
  /** The data key of the MAC. */
  readonly key: string;
  readonly mac: string;
}

/** The result of checking a file of heads; `unknown_key` if only its MAC could not be checked. */
export type AnchorState = 'genuine' | 'unknown_key' | 'not_an_anchor' | 'altered';

/** Exports the heads of all chains, to be stored where nobody with write access to the database can write. */
export class AuditAnchors {
  private readonly chains = new ChainRepository();
  private readonly keys: readonly [DerivedKey, ...DerivedKey[]];

  constructor(
    private readonly database: Database,
    keyRing: KeyRing,
  ) {
    this.keys = keyRing.derive(PURPOSE);
  }

  /** Writes the heads as of one instant, one line of JSON each, and a last line with a MAC over all of them. */
  async write(line: (json: string) => void, at: Date): Promise<void> {
    await this.database.transaction(async (tx) => {
      await rows(tx, 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      const [key] = this.keys;
      const mac = createHmac('sha256', key.secret);
      let [chains, last] = [0, ''];
      for (;;) {
        const heads = await this.chains.headsAfter(tx, last, BATCH);
        for (const { id, length, headHash } of heads) {
          const head: HeadLine = { chain: id, length, head_hash: headHash.toString('hex') };
          const json = JSON.stringify(head);
          mac.update(`${json}\n`);
          line(json);
        }
        chains += heads.length;
        last = heads.at(-1)?.id ?? last;
        if (heads.length < BATCH) break;
      }
      const end = { at: at.toISOString(), chains, key: key.id.toString('hex') };
      line(JSON.stringify({ ...end, mac: finished(mac, end) } satisfies AnchorEnd));
    });
  }

  /** Reads a file that `write` wrote, and checks whether it is complete and unaltered. */
  async examine(lines: AsyncIterable<string>): Promise<AnchorState> {
    const macs = new Map(
      this.keys.map(({ id, secret }) => [id.toString('hex'), createHmac('sha256', secret)]),
    );
    let heads = 0;
    let end: AnchorEnd | null = null;
    for await (const line of lines) {
      if (end !== null) return 'altered';
      const value = parsed(line);
      if (isHead(value)) {
        heads += 1;
        for (const mac of macs.values()) mac.update(`${line}\n`);
      } else if (isEnd(value)) end = value;
      else return 'not_an_anchor';
    }
    if (end === null) return heads === 0 ? 'not_an_anchor' : 'altered';
    if (end.chains !== heads) return 'altered';
    const mac = macs.get(end.key);
    if (mac === undefined) return 'unknown_key';
    const { mac: noted, ...rest } = end;
    const [expected, given] = [Buffer.from(finished(mac, rest), 'hex'), Buffer.from(noted, 'hex')];
    return expected.length === given.length && timingSafeEqual(expected, given) ? 'genuine' : 'altered';
  }
}

/** The heads of a checked file, in batches. */
export async function* anchoredHeads(lines: AsyncIterable<string>): AsyncGenerator<readonly AnchoredHead[]> {
  let batch: AnchoredHead[] = [];
  for await (const line of lines) {
    const value = parsed(line);
    if (!isHead(value)) continue;
    batch.push({
      chainId: value.chain,
      length: value.length,
      headHash: Buffer.from(value.head_hash, 'hex'),
    });
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function finished(mac: ReturnType<typeof createHmac>, { at, chains, key }: Omit<AnchorEnd, 'mac'>): string {
  return mac.update(JSON.stringify({ at, chains, key })).digest('hex');
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isHead(value: unknown): value is HeadLine {
  const { chain, length, head_hash: hash } = (value ?? {}) as Partial<HeadLine>;
  return (
    typeof chain === 'string' &&
    Number.isSafeInteger(length) &&
    typeof hash === 'string' &&
    /^[0-9a-f]{64}$/.test(hash)
  );
}

function isEnd(value: unknown): value is AnchorEnd {
  const { at, chains, key, mac } = (value ?? {}) as Partial<AnchorEnd>;
  return (
    typeof at === 'string' &&
    Number.isSafeInteger(chains) &&
    typeof key === 'string' &&
    typeof mac === 'string'
  );
}
