import { AsyncLocalStorage } from 'node:async_hooks';
import { Socket } from 'node:net';
import { pathToFileURL } from 'node:url';

import { captureConsole, captureStream, OpenLine } from './captured-output.js';
import { ErrorText, messageOf } from './error-text.js';
import { FrameChannel } from './frame-channel.js';
import { cutLine, LineBudget } from './line-budget.js';
import { CHANNEL_FD, MAX_CHUNK_BYTES, MAX_MESSAGE_BYTES } from './runner-protocol.js';
import type { CallLine, CallMessage, HostMessage, LineLevel } from './runner-protocol.js';
import type { RunnerMessage, RunnerSetup } from './runner-protocol.js';
import { becomeUser, withholdRights } from './runner-rights.js';

/*
 * Entry of a function's process: function-runner.js <RunnerSetup as JSON>. It serves the calls that come over the
 * channel. The function has this thread and this process to itself. The process lacks the rights that the function must
 * not have, and the program at the other end of the channel trusts nothing that comes from it.
 */

type FunctionHandler = (request: Request) => unknown;

/** A call that the function works on; `more` wakes the writer of its answer. */
interface OpenCall {
  readonly key: string;
  readonly abort: AbortController;
  /** Kept until the answer: an unreferenced Request is garbage-collected, and its signal then never fires. */
  request: Request | null;
  more: () => void;
  readonly output: Output;
}

/** Unfinished lines of its standard streams. */
interface Output {
  readonly info: OpenLine;
  readonly error: OpenLine;
}

/** Much more than a console fills between two turns; beyond it lines are dropped, not kept in memory. */
const MAX_UNSENT_BYTES = 8 * 1024 * 1024;

const setup = JSON.parse(process.argv[2] ?? '{}') as RunnerSetup;
const errors = new ErrorText(setup.directory);
const current = new AsyncLocalStorage<OpenCall>();
const openCalls = new Map<string, OpenCall>();
const ownOutput = outputOf(null);

const channel = new FrameChannel(
  new Socket({ fd: CHANNEL_FD, readable: true, writable: true }).on('end', () => process.exit(0)),
  { messageBytes: Infinity, chunkBytes: Infinity },
  (message, body) => {
    onMessage(message as HostMessage, body);
  },
  () => process.exit(1),
);
let onMessage: (message: HostMessage, body: Buffer) => void = () => undefined;

const lines = new LineBudget<CallLine>(
  ({ call }) => call ?? '',
  (line) => {
    post({ type: 'line', line });
  },
  () => channel.unsentBytes < MAX_UNSENT_BYTES,
);

function post(message: RunnerMessage, bytes?: Uint8Array, sent?: () => void): void {
  channel.send(message, bytes, sent);
}

function write(level: LineLevel, message: string): void {
  lines.push({ call: current.getStore()?.key ?? null, level, message, at: Date.now() });
}

function outputOf(call: string | null): Output {
  const at = (level: LineLevel): OpenLine => {
    const lineOf = (message: string): CallLine => ({ call, level, message, at: Date.now() });
    return new OpenLine({
      canKeep: () => lines.isOpen(),
      keep: (line) => {
        lines.push(lineOf(line));
      },
      drop: (dropped) => {
        lines.drop({ ...lineOf(''), dropped });
      },
    });
  };
  return { info: at('info'), error: at('error') };
}

async function loadHandler(): Promise<FunctionHandler> {
  const loaded = await importFunction();
  if (typeof loaded.default !== 'function') {
    throw new TypeError(`its default export is ${kindOf(loaded.default)}, not a function`);
  }
  return loaded.default as FunctionHandler;
}

async function importFunction(): Promise<{ default?: unknown }> {
  try {
    return (await import(pathToFileURL(setup.file).href)) as { default?: unknown };
  } catch (error) {
    throw withAdvice(error);
  }
}

/** Releases of Node.js before 22.18 do not strip types, and do not know the extension. */
function withAdvice(error: unknown): unknown {
  const isUnknownTypescript =
    error instanceof Error &&
    (error as NodeJS.ErrnoException).code === 'ERR_UNKNOWN_FILE_EXTENSION' &&
    /"\.[cm]?ts"/.test(error.message);
  if (!isUnknownTypescript) return error;
  return new Error(
    `${errors.relative(error.message)}: TypeScript needs Node.js 22.18 or newer, and this is ${process.versions.node}; ` +
      'update Node.js, or write the function in JavaScript (.mjs)',
    { cause: error },
  );
}

async function answer(
  handler: FunctionHandler,
  message: CallMessage,
  body: Buffer,
  open: OpenCall,
): Promise<void> {
  const { call, method, url, headers } = message;
  const { signal } = open.abort;
  const init = method === 'GET' || method === 'HEAD' ? {} : { body: new Uint8Array(body) };
  const request = new Request(url, { method, headers, signal, ...init });
  open.request = request;
  const response = await handler(request);
  if (!(response instanceof Response)) {
    throw new TypeError(`the function answered ${kindOf(response)}, not a Response`);
  }
  if (response.status < 200) throw new TypeError(`the function answered with status ${response.status}`);
  const answered = [...response.headers];
  if (JSON.stringify(answered).length > MAX_MESSAGE_BYTES / 4)
    throw new TypeError('its headers are too large');
  post({ type: 'head', call, status: response.status, headers: answered });
  if (response.body) await sendBody(call, response.body as ReadableStream<unknown>, open);
  endOutput(open.output);
  post({ type: 'end', call });
}

async function sendBody(call: string, body: ReadableStream<unknown>, open: OpenCall): Promise<void> {
  const reader = body.getReader();
  const { signal } = open.abort;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (!(next.value instanceof Uint8Array)) throw new TypeError('the body of a Response must be of bytes');
    for (let from = 0; from < next.value.length; from += MAX_CHUNK_BYTES) {
      const wanted = new Promise<void>((resolve) => (open.more = resolve));
      post({ type: 'chunk', call }, next.value.subarray(from, from + MAX_CHUNK_BYTES));
      await wanted;
      if (!signal.aborted) continue;
      await reader.cancel(signal.reason);
      return;
    }
  }
}

async function serve(
  handler: FunctionHandler,
  message: CallMessage,
  body: Buffer,
  open: OpenCall,
): Promise<void> {
  try {
    await answer(handler, message, body, open);
  } catch (thrown) {
    endOutput(open.output);
    const error = withAdvice(thrown);
    // A function that stops because its call was aborted has not failed.
    if (!open.abort.signal.aborted) write('error', errors.full(error));
    post({ type: 'thrown', call: open.key, reason: cutLine(errors.relative(messageOf(error))) });
  } finally {
    openCalls.delete(open.key);
  }
}

function receive(handler: FunctionHandler, message: HostMessage, body: Buffer): void {
  switch (message.type) {
    case 'call': {
      const output = outputOf(message.call);
      const abort = new AbortController();
      const open: OpenCall = { key: message.call, abort, request: null, more: () => undefined, output };
      openCalls.set(open.key, open);
      void current.run(open, () => serve(handler, message, body, open));
      return;
    }
    case 'abort': {
      const open = openCalls.get(message.call);
      if (!open) return;
      // Listeners of the signal write lines of the same run.
      current.run(open, () => {
        open.abort.abort();
      });
      open.more();
      return;
    }
    case 'more':
      openCalls.get(message.call)?.more();
      return;
    case 'ping':
      post({ type: 'pong' });
  }
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return typeof value === 'object' ? `an object (${value.constructor.name})` : `a ${typeof value}`;
}

function captureOutput(): void {
  captureConsole(write);
  for (const [stream, level] of [[process.stdout, 'info'] as const, [process.stderr, 'error'] as const]) {
    captureStream(stream, (piece) => {
      const { output } = current.getStore() ?? { output: ownOutput };
      output[level].add(piece);
    });
  }
}

function endOutput(output: Output): void {
  output.info.end();
  output.error.end();
}

/** An uncaught error leaves the function in an unknown state, so the process ends. */
function endAtCrash(): void {
  process.on('uncaughtException', (error) => {
    const [reason, detail] = [cutLine(errors.brief(error)), cutLine(errors.full(error))];
    post({ type: 'crashed', reason, detail }, undefined, () => process.exit(1));
  });
}

async function start(): Promise<void> {
  if (setup.account !== null) becomeUser(setup.account);
  if (setup.isConfined) withholdRights();
  captureOutput();
  endAtCrash();
  const handler = await loadHandler();
  onMessage = (message, body) => {
    receive(handler, message, body);
  };
  post({ type: 'loaded' });
}

try {
  await start();
} catch (error) {
  const reason = cutLine(errors.brief(error));
  // The engine does not expose the location of a syntax error here; the program finds it in another way.
  const isUnplacedSyntaxError = error instanceof SyntaxError && !reason.endsWith(')');
  post({ type: 'failed', reason, isUnplacedSyntaxError }, undefined, () => process.exit(1));
}
