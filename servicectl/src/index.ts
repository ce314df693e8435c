// What the operators' commands of the program (src/cli) are made of as well. It is loaded when the command line starts, so
// tables are apart, whose packages a command loads when it prints one.
export { CommandError, EXIT } from './command-error.js';
export { addHelpCommand } from './commands/help.js';
export { setDisabled } from './commands/users.js';
export type { UsersServer } from './caller/users.js';
export { askSecret, readStandardInput } from './caller/session/prompts.js';
export { asTyped } from './environment.js';
export { runTypedCommand } from './program.js';
export { sanitizeForTerminal, Terminal } from './terminal.js';
export type { Colour } from './terminal.js';
export { VERSION } from './version.js';
