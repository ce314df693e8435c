import type { Command } from 'commander';
import { loadConfig } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { Terminal } from './terminal.js';
import { Workbench } from './workbench.js';

/** What a command gets: the configuration of the server, and where to write. */
export interface CommandContext {
  readonly config: Config;
  readonly terminal: Terminal;
}

/** Runs a command that needs no database. */
export async function withConfig(
  command: Command,
  work: (context: CommandContext) => Promise<void>,
): Promise<void> {
  const { json } = command.optsWithGlobals<{ json?: boolean }>();
  await work({ config: loadConfig(), terminal: new Terminal(json === true) });
}

/** Runs a command on the database of the configuration. */
export async function withWorkbench(
  command: Command,
  work: (bench: Workbench, terminal: Terminal) => Promise<void>,
): Promise<void> {
  await withConfig(command, ({ config, terminal }) =>
    Workbench.use(config, terminal, (bench) => work(bench, terminal)),
  );
}
