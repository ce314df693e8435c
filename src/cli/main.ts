import { runTypedCommand } from '../../servicectl/src/index.js';
import { addOperatorCommands } from './commands/operator-commands.js';

await runTypedCommand(addOperatorCommands);
