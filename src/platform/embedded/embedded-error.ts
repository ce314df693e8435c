import { StartRefusal } from '../refusal/index.js';

/** The embedded servers cannot run; the message tells a person what to do about it. */
export class EmbeddedError extends StartRefusal {
  override readonly name = 'EmbeddedError';
}
