import type { Command } from 'commander';
import type { AddOperatorOptions } from '../operator/operators.js';
import { addHelpCommand, Terminal } from '../../../servicectl/src/index.js';

const HELP = `
An address without an account gets one, with the password that you type. With projects, operators have accounts of
their own, which are users of no project.`;

/** `operators add`, `operators list`, `operators remove` */
export function addOperatorsCommands(program: Command): void {
  const operators = program.command('operators').description('Who operates the deployment, in the console');
  addHelpCommand(operators);
  operators
    .command('add')
    .description('Make an account an operator, or change what it may do')
    .argument('<email>', 'address of the account')
    .option('--read-only', 'may see everything and change nothing')
    .option('--unverified', 'also if nobody has proven that the account belongs to the address')
    .option('--password-stdin', 'read the password of a new account from standard input instead of asking')
    .addHelpText('after', HELP)
    .action(async (email: string, options: AddOperatorOptions, command: Command) => {
      const { addOperator } = await import('../operator/operators.js');
      await addOperator(Terminal.of(command), email, options);
    });
  operators
    .command('list')
    .description('Show the operators')
    .action(async (_options: unknown, command: Command) => {
      const { listOperators } = await import('../operator/operators.js');
      await listOperators(Terminal.of(command));
    });
  operators
    .command('remove')
    .description('Let an operator operate nothing any more')
    .argument('<email>', 'address of the account')
    .action(async (email: string, _options: unknown, command: Command) => {
      const { removeOperator } = await import('../operator/operators.js');
      await removeOperator(Terminal.of(command), email);
    });
}
