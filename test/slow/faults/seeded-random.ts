/** Chance that can be had again: the same seed gives the same sequence (mulberry32). */
export class SeededRandom {
  constructor(private state: number) {}

  /** From 0 to 1, 1 left out. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  oneOf<Item>(items: readonly Item[]): Item {
    const chosen = items[Math.floor(this.next() * items.length)];
    if (chosen === undefined) throw new Error('there is nothing to choose from');
    return chosen;
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    const keyed = items.map((item) => ({ item, key: this.next() }));
    return keyed.sort((one, other) => one.key - other.key).map(({ item }) => item);
  }
}
