import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { repoRoot, say } from '../prepare/report.mjs';

const JEST = fileURLToPath(new URL('node_modules/jest/bin/jest.js', repoRoot));
const NODE_OPTIONS = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
/** A terminal's Ctrl-C reaches jest as well as us; jest gets this long to end by itself. */
const INTERRUPT_GRACE_MS = 3_000;

/**
 * Runs Jest, and what failed once more, alone. A suite that fails and then passes depends on something that nobody
 * controls: it is printed as UNSTABLE and does not fail the run.
 */
export class JestRun {
  #child = null;
  #results;
  #variables;

  /**
   * @param {string} folder where the results of a run may lie
   * @param {Record<string, string>} variables for the tests
   */
  constructor(folder, variables) {
    this.#results = join(folder, 'jest.json');
    this.#variables = variables;
  }

  /**
   * @param {string[]} args for jest
   * @returns {Promise<number>} the exit code
   */
  async run(args) {
    const first = await this.#jest(args);
    if (first.results === null || first.failed.length === 0) return this.#closed(first);
    say(`\nOnce more, alone:\n${first.failed.map(({ suite }) => `  ${suite}`).join('\n')}\n`);
    const again = await this.#jest([
      '--runInBand',
      '--runTestsByPath',
      ...first.failed.map(({ suite }) => suite),
    ]);
    if (again.results === null) return this.#closed(first);
    const failedTwice = new Set(again.failed.map(({ suite }) => suite));
    for (const { suite, tests } of first.failed)
      for (const test of tests)
        say(`${failedTwice.has(suite) ? 'FAILED TWICE' : 'UNSTABLE'} ${suite}: ${test}`);
    return this.#closed(first, again);
  }

  /** Ends a run as the signal would; jest hears of Ctrl-C from the terminal. */
  stop(signal) {
    if (signal === 'SIGINT') setTimeout(() => this.#child?.kill('SIGTERM'), INTERRUPT_GRACE_MS).unref();
    else this.#child?.kill('SIGTERM');
  }

  /** Prints the line that closes a run, `N passed, N failed[, N skipped]`, and decides its exit code. */
  #closed({ results, code }, again = null) {
    if (results === null) return code;
    const failed = (again?.results ?? results).numFailedTests + suitesWithoutTests(again?.results ?? results);
    const mended = again === null ? 0 : Math.max(0, results.numFailedTests - again.results.numFailedTests);
    const skipped = results.numPendingTests + results.numTodoTests;
    say(
      `${results.numPassedTests + mended} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
    );
    // What is wrong beside the tests, such as a secret in a log, is told by the exit code alone.
    return again === null ? code : again.code;
  }

  async #jest(args) {
    await rm(this.#results, { force: true });
    const code = await this.#spawn([...args, '--json', `--outputFile=${this.#results}`]);
    const text = await readFile(this.#results, 'utf8').catch(() => null);
    const results = text === null ? null : JSON.parse(text);
    return { code, results, failed: results === null ? [] : failures(results) };
  }

  #spawn(args) {
    return new Promise((resolve, reject) => {
      this.#child = spawn(process.execPath, [...NODE_OPTIONS, JEST, ...args], {
        cwd: fileURLToPath(repoRoot),
        // With --json, the results go to standard output too, although they have a file.
        stdio: ['inherit', 'ignore', 'inherit'],
        env: { ...process.env, ...this.#variables },
      });
      this.#child.once('error', reject);
      this.#child.once('exit', (code, signal) => {
        this.#child = null;
        resolve(code ?? 128 + constants.signals[signal]);
      });
    });
  }
}

/** A file that does not even load has no tests to count, and must not look like success. */
function suitesWithoutTests({ testResults }) {
  return testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length;
}

function failures({ testResults }) {
  return testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name, assertionResults }) => {
      const tests = assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName }) => fullName);
      return {
        suite: name.slice(fileURLToPath(repoRoot).length),
        tests: tests.length > 0 ? tests : ['the suite as a whole'],
      };
    });
}
