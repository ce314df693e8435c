import { execFile } from 'node:child_process';
import { realpathSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

import { CallServer } from './call-server.js';
import { ErrorText } from './error-text.js';
import { LineBudget } from './line-budget.js';
import { NO_CALL } from './runner-protocol.js';
import type { RunnerMessage, ThreadMessage, ThreadRequest, ThreadSetup } from './runner-protocol.js';

/*
 * Entry of a function's child process: function-runner.js <directory> <file> <memory limit in MiB>. The function
 * runs in a worker thread; this thread stays responsive whatever the function does, tells its callers and the
 * host what became of it, and then ends the process: a thread that failed is never used again.
 */

/** Node with two threads and the type stripper, before the function allocates anything. */
const BASE_MEMORY_MB = 192;
const MEMORY_CHECK_MS = 100;
const MAX_UNSENT_LINES = 2000;
const LAST_WORDS_MS = 1000;

const [directory = '', file = '', memoryLimit = ''] = process.argv.slice(2);
const memoryLimitMb = Number(memoryLimit);
// Stacks name the real place of a module.
const setup: ThreadSetup = { directory: realpathSync(directory), file };
const errors = new ErrorText(setup.directory);
let unsentLines = 0;
let isLoaded = false;
let isEnding = false;

const lines = new LineBudget(
  (line) => {
    unsentLines += 1;
    process.send?.({ type: 'line', line }, undefined, undefined, () => (unsentLines -= 1));
  },
  () => unsentLines < MAX_UNSENT_LINES,
);

const thread = new Worker(new URL('./function-thread.js', import.meta.url), {
  workerData: setup,
  resourceLimits: { maxOldGenerationSizeMb: memoryLimitMb },
});
const server = new CallServer({
  toThread: (message: ThreadRequest) => {
    thread.postMessage(message);
  },
  toHost,
  onHang: () => {
    void end('function hung: it did not let go of its thread after its caller had gone');
  },
});

function toHost(message: RunnerMessage): void {
  if (process.connected) process.send?.(message);
}

/** Sends the message and waits until it has left, within a bound. */
async function sendLast(message: RunnerMessage): Promise<void> {
  const isSent = new Promise((resolve) => process.send?.(message, undefined, undefined, resolve));
  await Promise.race([isSent, delay(LAST_WORDS_MS)]);
}

/** The function is beyond use: says so to each run that waits for it and leaves. */
async function end(reason: string, detail = reason): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  if (!isLoaded) {
    await sendLast({ type: 'failed', reason });
    process.exit(1);
  }
  toHost({ type: 'closing' });
  const { labels } = server;
  for (const label of labels.length > 0 ? labels : [NO_CALL]) {
    lines.push({ ...label, level: 'error', message: detail, at: Date.now() });
  }
  await Promise.race([server.fail(reason), delay(LAST_WORDS_MS)]);
  await sendLast({ type: 'closing' });
  process.exit(1);
}

/** `node --check` prints `file:line` first, which no caught SyntaxError carries. */
async function placeOfSyntaxError(): Promise<string> {
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['--check', file], { timeout: 5000 }, (_error, _stdout, stderr) => {
      resolve(stderr);
    });
  });
  const place = /^(\S.*:\d+)$/m.exec(errors.relative(output))?.[1];
  return place === undefined ? '(in a module that it imports)' : `(${place})`;
}

async function receive(message: ThreadMessage): Promise<void> {
  switch (message.type) {
    case 'loaded': {
      const url = await server.listen();
      isLoaded = true;
      toHost({ type: 'ready', url });
      return;
    }
    case 'failed': {
      // It has said why; that it now ends is no news.
      thread.removeAllListeners('exit');
      const place = message.isUnplacedSyntaxError ? ` ${await placeOfSyntaxError()}` : '';
      await end(`${message.reason}${place}`);
      return;
    }
    case 'line':
      lines.push(message.line);
      return;
    case 'pong':
      server.pong();
      return;
    default:
      server.receive(message);
  }
}

thread.on('message', (message: ThreadMessage) => {
  void receive(message);
});
thread.on('error', (error: Error & { code?: string }) => {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
    void end(`function ran out of memory (${memoryLimitMb} MiB)`);
  else void end(`function crashed: ${errors.brief(error)}`, `function crashed: ${errors.full(error)}`);
});
thread.on('exit', (code) => {
  void end(`function exited (code ${code})`);
});

// The engine's limit counts its own heap only; a Buffer lies outside of it.
setInterval(() => {
  if (process.memoryUsage.rss() < (memoryLimitMb + BASE_MEMORY_MB) * 1024 * 1024) return;
  void end(`function ran out of memory (${memoryLimitMb} MiB)`);
  // What it has allocated goes at once, not after the last words.
  void thread.terminate();
}, MEMORY_CHECK_MS).unref();

try {
  // Where the machine itself runs out of memory, Linux takes a function before the program or its database.
  writeFileSync('/proc/self/oom_score_adj', '500');
} catch {
  // Not Linux, or a container that forbids it.
}

process.on('message', () => {
  void server.drain().then(() => process.exit(0));
});
process.on('SIGTERM', () => process.exit(0));
// The program is gone, however it went: nobody is left to serve, and what the function spawned goes as well.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
