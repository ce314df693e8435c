import type { en } from './en.js';

export type MessageKey = keyof typeof en;

/** All messages in one language. */
export type Catalogue = Readonly<Record<MessageKey, string>>;

/** The names of the arguments in an ICU message. What stands in the branches of a plural begins with `#`. */
type Names<Message extends string> = Message extends `${string}{${infer Inner}}${infer Rest}`
  ? | (Inner extends `#${string}` ? never : Inner extends `${infer Name},${string}` ? Name : Inner)
    | Names<Rest>
  : never;

/** The arguments of a message, from its English text. */
export type MessageArguments<Key extends MessageKey> = Readonly<
  Record<Names<(typeof en)[Key]>, string | number>
>;
