import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { PrepareError, repoRoot } from './report.mjs';

/**
 * Runs a program to its end. Its output goes to stderr unless `quiet`; it is returned either way. A signal to
 * us ends the program first, so that a half-done install is not left running behind.
 * @returns {Promise<{ ok: boolean, output: string }>} `ok` is false also when there is no such program.
 */
export function runCommand(file, args, { quiet = false, cwd = fileURLToPath(repoRoot), env = {} } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let caught = null;
    const forward = (signal) => {
      caught = signal;
      child.kill('SIGTERM');
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, forward);
    const finish = (ok) => {
      for (const signal of signals) process.off(signal, forward);
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
