import type { Terminal } from '../terminal.js';
import type { Workbench } from './workbench.js';

/** What `keys` does with the keys of a profile. */
export interface KeyWork {
  list(bench: Workbench, terminal: Terminal): Promise<void>;
  rotate(bench: Workbench, terminal: Terminal, isImmediate: boolean): Promise<void>;
}
