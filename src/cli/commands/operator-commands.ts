import type { Command } from 'commander';
import { addAuditCommands } from './audit.js';
import { addCalibrateCommand } from './calibrate.js';
import { addKeysCommands } from './keys.js';
import { addMigrateCommand } from './migrate.js';
import { addRekeyCommand } from './rekey.js';
import { addUsersCommands } from './users.js';

const HELP = `
The commands for operators work on the database of the deployment, whether its program runs or not. They read the
configuration of the server: service.toml in the current folder (or SERVICE_CONFIG) and SERVICE_* variables.`;

/** The commands that work on the database of a deployment. */
export function addOperatorCommands(program: Command): void {
  program.commandsGroup('For the operator of a deployment:');
  addKeysCommands(program);
  addRekeyCommand(program);
  addCalibrateCommand(program);
  addAuditCommands(program);
  addUsersCommands(program);
  addMigrateCommand(program);
  program.addHelpText('after', HELP);
}
