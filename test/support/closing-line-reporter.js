/** Jest reporter that ends the output with one line that a machine can read: `N passed, N failed[, N skipped]`. */
export default class ClosingLineReporter {
  onRunComplete(_contexts, results) {
    // A file that does not even load has no tests to count, and must not look like success.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    const line = `${results.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    // Jest runs its own summary after every other reporter.
    process.once('exit', () => process.stdout.write(`${line}\n`));
  }
}
