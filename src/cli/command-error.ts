/** What ends a command with a message and no stack: something that its user can do something about. */
export class CommandError extends Error {
  override name = 'CommandError';
}
