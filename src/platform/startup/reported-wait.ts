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
