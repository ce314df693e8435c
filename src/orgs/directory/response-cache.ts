import { LRUCache } from 'lru-cache';

/** The longest that a missed announcement can keep an old answer alive (contract section 5). */
const LIFETIME_MS = 30_000;

interface Kept<Answer> {
  readonly answer: Answer;
  readonly about: readonly string[];
}

interface Bounds<Answer> {
  readonly maxAnswers: number;
  /** Of all answers together, where they differ much in size. */
  readonly maxBytes?: number;
  readonly bytesOf?: (answer: Answer) => number;
}

/** Answers in memory, each of which is forgotten when one of those changes that it is about. */
export class ResponseCache<Answer> {
  private readonly kept: LRUCache<string, Kept<Answer>>;
  /** The keys of the answers about an id, so that forgetting some costs nothing for the others. */
  private readonly keysAbout = new Map<string, Set<string>>();

  constructor({ maxAnswers, maxBytes, bytesOf }: Bounds<Answer>) {
    const bySize =
      maxBytes === undefined || bytesOf === undefined
        ? {}
        : { maxSize: maxBytes, sizeCalculation: ({ answer }: Kept<Answer>) => bytesOf(answer) };
    this.kept = new LRUCache({
      max: maxAnswers,
      ttl: LIFETIME_MS,
      ...bySize,
      dispose: (gone, key) => {
        this.unlist(gone, key);
      },
    });
  }

  get(key: string): Answer | undefined {
    return this.kept.get(key)?.answer;
  }

  /** @param about the ids whose change makes the answer old */
  set(key: string, answer: Answer, about: readonly string[]): void {
    this.kept.set(key, { answer, about });
    // One that is larger than all may be together is not kept.
    if (!this.kept.has(key)) return;
    for (const id of about) {
      const keys = this.keysAbout.get(id) ?? new Set();
      this.keysAbout.set(id, keys.add(key));
    }
  }

  forget(id: string): void {
    for (const key of [...(this.keysAbout.get(id) ?? [])]) this.kept.delete(key);
  }

  clear(): void {
    this.kept.clear();
  }

  private unlist({ about }: Kept<Answer>, key: string): void {
    for (const id of about) {
      const keys = this.keysAbout.get(id);
      keys?.delete(key);
      if (keys?.size === 0) this.keysAbout.delete(id);
    }
  }
}
