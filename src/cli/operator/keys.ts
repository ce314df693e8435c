import type { Terminal } from '../terminal.js';
import type { KeyWork } from './key-work.js';
import { projectKeys } from './project-keys.js';
import { signingKeys } from './signing-keys.js';
import { Workbench } from './workbench.js';

const OF_PROFILE: Readonly<Record<Workbench['profile'], KeyWork>> = {
  organization: signingKeys,
  project: projectKeys,
};

export async function listKeys(terminal: Terminal): Promise<void> {
  await Workbench.use(terminal, (bench) => OF_PROFILE[bench.profile].list(bench, terminal));
}

export async function rotateKeys(terminal: Terminal, isImmediate: boolean): Promise<void> {
  await Workbench.use(terminal, (bench) => OF_PROFILE[bench.profile].rotate(bench, terminal, isImmediate));
}
