/** The embedded servers cannot run; the message tells a person what to do about it. */
export class EmbeddedError extends Error {
  override readonly name = 'EmbeddedError';
}
