/** What a command ends with; the help and docs/command-line.md list them. */
export const EXIT = {
  failed: 1,
  usage: 2,
  /** EX_CONFIG of sysexits.h, as the server ends with. */
  configuration: 78,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
