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

/** What a command ends with; the help and docs/command-line.md list them. */
export const EXIT = {
  failed: 1,
  usage: 2,
  /** The run that was waited for did not complete. */
  runFailed: 3,
  /** Nobody is signed in, or they may not. */
  refused: 4,
  /** The server cannot be reached or has no room: the same command may do later. */
  unavailable: 5,
  /** EX_CONFIG of sysexits.h, as the server ends with. */
  configuration: 78,
  /** 128 and the number of SIGINT, as a shell has it. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
