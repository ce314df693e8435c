import type { Command } from 'commander';
import { CommandError, EXIT } from '../command-error.js';

/** The commands of operator-commands.ts, which the published package does not import; a test compares the names. */
export const OPERATOR_COMMANDS = [
  'doctor',
  'keys',
  'rekey',
  'calibrate',
  'audit',
  'operators',
  'migrate',
] as const;

/** In the published package these commands say where they work. */
export function addAbsentOperatorCommands(program: Command): void {
  for (const name of OPERATOR_COMMANDS)
    program
      .command(name, { hidden: true })
      .argument('[words...]')
      .allowUnknownOption()
      .helpOption(false)
      .action(() => {
        throw new CommandError(
          `${name} works on the database of a deployment, and this package holds the users' commands only`,
          EXIT.usage,
          'Run it where the program is installed: npx servicectl in its folder, or servicectl in its image',
        );
      });
}
