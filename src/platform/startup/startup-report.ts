/** EX_CONFIG of sysexits.h: something was found in an unconfigured or misconfigured state. */
export const EXIT_CONFIG = 78;

interface RefusalOptions extends ErrorOptions {
  readonly exitCode?: 1 | typeof EXIT_CONFIG;
}

/** The program cannot start, for a reason that its operator can mend: the message says how, and no stack is shown. */
export class StartupError extends Error {
  override readonly name: string = 'StartupError';
  readonly exitCode: 1 | typeof EXIT_CONFIG;

  constructor(message: string, { exitCode = 1, ...options }: RefusalOptions = {}) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

const REPORT_INTERVAL_MS = 3_000;

/**
 * Waits for the work and returns its result. Meanwhile it reports every few seconds what the program is waiting for.
 * @param waitsFor called for each report, because the answer may change
 */
export async function reportedWait<Result>(
  work: Promise<Result>,
  waitsFor: () => string,
  report: (message: string) => void,
): Promise<Result> {
  const reporting = setInterval(() => {
    report(`waiting for ${waitsFor()}`);
  }, REPORT_INTERVAL_MS);
  try {
    return await work;
  } finally {
    clearInterval(reporting);
  }
}
