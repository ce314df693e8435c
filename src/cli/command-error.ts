import { EXIT } from './exit-codes.js';
import type { ExitCode } from './exit-codes.js';

/** What ends a command with a message and no stack: something that its user can do something about. */
export class CommandError extends Error {
  override name = 'CommandError';

  constructor(
    message: string,
    readonly exitCode: ExitCode = EXIT.failed,
    /** What to do next. */
    readonly hint?: string,
  ) {
    super(message);
  }
}
