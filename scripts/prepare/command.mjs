import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { PrepareError, repoRoot, say } from './report.mjs';

const REPORT_INTERVAL_MS = 5_000;
/** How long a command may take to end once we have to stop. */
const STOP_LIMIT_MS = 3_000;

/**
 * Runs a program to its end. Its output goes to stderr unless `quiet`; it is returned either way. A signal to
 * us ends the program first, with all that it started, so that no half-done install is left running behind.
 * @param {{ quiet?: boolean, cwd?: string, env?: object, waitsFor?: string }} [options] `waitsFor`: what is said every
 *   few seconds while it runs
 * @returns {Promise<{ ok: boolean, output: string }>} `ok` is false also when there is no such program.
 */
export function runCommand(
  file,
  args,
  { quiet = false, cwd = fileURLToPath(repoRoot), env = {}, waitsFor } = {},
) {
  return new Promise((resolve, reject) => {
    // A shell in between would end at a signal and leave alone what it runs; a process group ends as a whole. It takes a
    // session without a terminal, by which sudo remembers who gave the password.
    const hasOwnGroup = file !== 'sudo';
    const child = spawn(file, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: hasOwnGroup,
    });
    const stopReporting = reportWhileWaiting(waitsFor);
    let output = '';
    let caught = null;
    const stop = (signal) => {
      if (caught !== null) return;
      caught = signal;
      end(child, hasOwnGroup, 'SIGTERM');
      setTimeout(() => {
        end(child, hasOwnGroup, 'SIGKILL');
        finish(false);
      }, STOP_LIMIT_MS).unref();
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, stop);
    const finish = (ok) => {
      stopReporting();
      for (const signal of signals) process.off(signal, stop);
      if (caught !== null) reject(new PrepareError('Interrupted.', 128 + constants.signals[caught]));
      else resolve({ ok, output });
    };
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text) => {
        output += text;
        if (!quiet) process.stderr.write(text);
      });
    }
    child.once('error', (error) => {
      output += error.message;
      finish(false);
    });
    child.once('close', (code) => finish(code === 0));
  });
}

function reportWhileWaiting(waitsFor) {
  if (waitsFor === undefined) return () => undefined;
  const startedAt = performance.now();
  const reporting = setInterval(() => {
    say(`Still ${waitsFor} (${Math.round((performance.now() - startedAt) / 1000)} s) …`);
  }, REPORT_INTERVAL_MS);
  return () => clearInterval(reporting);
}

function end(child, hasOwnGroup, signal) {
  if (child.pid === undefined) return;
  try {
    process.kill(hasOwnGroup ? -child.pid : child.pid, signal);
  } catch (error) {
    // It has just ended, or is root's.
    if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error;
  }
}
