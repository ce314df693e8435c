import { runTypedCommand } from './program.js';
import { addOperatorCommands } from './commands/operator-commands.js';

await runTypedCommand(addOperatorCommands);
