import type { Terminal } from '../terminal.js';
import type { KeyWork } from './key-work.js';
import { projectKeys } from './project-keys.js';
import { signingKeys } from './signing-keys.js';
import { OperatorContext } from './operator-context.js';

const OF_PROFILE: Readonly<Record<OperatorContext['profile'], KeyWork>> = {
  organization: signingKeys,
  project: projectKeys,
};

export async function listKeys(terminal: Terminal): Promise<void> {
  await OperatorContext.use(terminal, (bench) => OF_PROFILE[bench.profile].list(bench, terminal));
}

export async function rotateKeys(terminal: Terminal, isImmediate: boolean): Promise<void> {
  await OperatorContext.use(terminal, (bench) =>
    OF_PROFILE[bench.profile].rotate(bench, terminal, isImmediate),
  );
}
