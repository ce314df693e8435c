import { runTypedCommand } from './program.js';
import { addAbsentOperatorCommands } from './commands/absent-operator-commands.js';

// The published package: without the program that operators' commands are made of (decision 0041).
await runTypedCommand(addAbsentOperatorCommands);
