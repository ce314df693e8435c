import { IntlMessageFormat } from 'intl-messageformat';
import type { Language } from '../../platform/languages/index.js';
import { CATALOGUES } from './catalogues/index.js';
import type { MessageArguments, MessageKey } from './catalogues/index.js';

/** How long something is valid. */
export interface Duration {
  readonly amount: number;
  readonly unit: 'minute' | 'hour' | 'day';
}

/** Marks up the arguments of a message and what stands between `<b>` and `</b>`. */
export interface Markup<Mark> {
  argument(value: string): Mark;
  strong(content: readonly (string | Mark)[]): Mark;
}

type Values = Readonly<Record<string, string | number>>;

/** What mails and pages say in one language. */
export class Messages {
  private static readonly known = new Map<Language, Messages>();
  private readonly formats = new Map<MessageKey, IntlMessageFormat>();

  private constructor(readonly language: Language) {}

  static in(language: Language): Messages {
    const messages = this.known.get(language) ?? new Messages(language);
    this.known.set(language, messages);
    return messages;
  }

  /** A message as plain text. */
  text<Key extends MessageKey>(key: Key, ...[values]: ArgumentsOf<Key>): string {
    return String(this.format(key).format(values));
  }

  /** A message in pieces: text that has yet to be escaped, and what `markup` made. */
  marked<Mark extends object, Key extends MessageKey>(
    markup: Markup<Mark>,
    key: Key,
    ...[values]: ArgumentsOf<Key>
  ): readonly (string | Mark)[] {
    const marked = Object.entries((values ?? {}) as Values).map(
      ([name, value]) => [name, typeof value === 'number' ? value : markup.argument(value)] as const,
    );
    const pieces: unknown = this.format(key).format<Mark>({
      ...Object.fromEntries(marked),
      b: (content) => markup.strong(content),
    });
    return (Array.isArray(pieces) ? pieces : [pieces]) as readonly (string | Mark)[];
  }

  /** Such as `15 minutes`. */
  duration({ amount, unit }: Duration): string {
    return new Intl.NumberFormat(this.language, { style: 'unit', unit, unitDisplay: 'long' }).format(amount);
  }

  private format(key: MessageKey): IntlMessageFormat {
    const format =
      this.formats.get(key) ?? new IntlMessageFormat(CATALOGUES[this.language][key], this.language);
    this.formats.set(key, format);
    return format;
  }
}

/** No argument where the message has none. */
export type ArgumentsOf<Key extends MessageKey> = [keyof MessageArguments<Key>] extends [never]
  ? []
  : [MessageArguments<Key>];
