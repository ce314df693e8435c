import { runTypedCommand } from './command-line.js';
import { addOperatorCommands } from './commands/operator-commands.js';

await runTypedCommand(addOperatorCommands);
