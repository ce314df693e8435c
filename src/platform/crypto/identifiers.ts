import { V7Generator } from 'uuidv7';

/** The pattern of the ids that `newId` makes. */
export const UUID_PATTERN = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const UUID = new RegExp(`^${UUID_PATTERN}$`, 'i');

/** Random numbers of the system, 4 KiB at a time: the call into it costs more than all else in an id. */
class RandomWords {
  private readonly words = new Uint32Array(1024);
  private next = this.words.length;

  nextUint32(): number {
    if (this.next === this.words.length) {
      crypto.getRandomValues(this.words);
      this.next = 0;
    }
    const word = this.words[this.next] ?? 0;
    this.words[this.next] = 0;
    this.next += 1;
    return word;
  }
}

const generator = new V7Generator(new RandomWords());

/** A new UUIDv7 (RFC 9562): unique, and later ones sort after earlier ones. */
export function newId(): string {
  return generator.generate().toString();
}

/** The least id that `newId` could have made at this instant; instants before 1970 count as 1970. */
export function firstIdAt(instant: Date): string {
  // The milliseconds are the first 48 of the 128 bits (RFC 9562, section 5.7).
  const hex = Math.max(instant.getTime(), 0).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Whether this is a UUID, in lower or upper case. */
export function isUuid(value: string): boolean {
  return UUID.test(value);
}
