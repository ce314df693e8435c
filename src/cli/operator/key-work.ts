import type { Terminal } from '../terminal.js';
import type { OperatorContext } from './operator-context.js';

/** What `keys` does with the keys of a profile. */
export interface KeyWork {
  list(bench: OperatorContext, terminal: Terminal): Promise<void>;
  rotate(bench: OperatorContext, terminal: Terminal, isImmediate: boolean): Promise<void>;
}
