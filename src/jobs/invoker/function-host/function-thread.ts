import { AsyncLocalStorage } from 'node:async_hooks';
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

import { ErrorText, messageOf } from './error-text.js';
import { LineBudget } from './line-budget.js';
import { NO_CALL } from './runner-protocol.js';
import type { CallLabel, CallMessage, LineLevel, ThreadRequest } from './runner-protocol.js';
import type { ThreadMessage, ThreadSetup } from './runner-protocol.js';
import { captureConsole } from './thread-console.js';

type FunctionHandler = (request: Request) => unknown;

/** A call that the function works on; `more` wakes the writer of its answer. */
interface OpenCall {
  label: CallLabel;
  abort: AbortController;
  /** Held until the answer: a Request nobody holds is collected, and its signal then never fires. */
  request: Request | null;
  more: () => void;
}

const setup = workerData as ThreadSetup;
const errors = new ErrorText(setup.directory);
const labels = new AsyncLocalStorage<CallLabel>();
const openCalls = new Map<number, OpenCall>();
const budget = new LineBudget((line) => {
  post({ type: 'line', line });
});

function post(message: ThreadMessage, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}

function write(level: LineLevel, message: string): void {
  const label = labels.getStore() ?? NO_CALL;
  budget.push({ ...label, level, message, at: Date.now() });
}

async function loadHandler(): Promise<FunctionHandler> {
  const features = process.features as { typescript?: string | false };
  if (!features.typescript) register('./typescript-loader.js', import.meta.url);
  const loaded = (await import(pathToFileURL(setup.file).href)) as { default?: unknown };
  if (typeof loaded.default !== 'function') {
    throw new TypeError(`its default export is ${kindOf(loaded.default)}, not a function`);
  }
  return loaded.default as FunctionHandler;
}

async function answer(handler: FunctionHandler, message: CallMessage, open: OpenCall): Promise<void> {
  const { call, method, url, headers, body } = message;
  const { signal } = open.abort;
  const request = new Request(url, { method, headers, body, signal });
  open.request = request;
  const response = await handler(request);
  if (!(response instanceof Response)) {
    throw new TypeError(`the function answered ${kindOf(response)}, not a Response`);
  }
  if (response.status < 200) throw new TypeError(`the function answered with status ${response.status}`);
  post({ type: 'head', call, status: response.status, headers: [...response.headers] });
  if (response.body) await sendBody(call, response.body as ReadableStream<unknown>, open);
  post({ type: 'end', call });
}

async function sendBody(call: number, body: ReadableStream<unknown>, open: OpenCall): Promise<void> {
  const reader = body.getReader();
  const { signal } = open.abort;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (!(next.value instanceof Uint8Array)) throw new TypeError('the body of a Response must be of bytes');
    const wanted = new Promise<void>((resolve) => (open.more = resolve));
    // A copy: the function may keep its own view of the buffer.
    const bytes = new Uint8Array(next.value);
    post({ type: 'chunk', call, bytes }, [bytes.buffer]);
    await wanted;
    if (signal.aborted) {
      await reader.cancel(signal.reason);
      return;
    }
  }
}

async function serve(handler: FunctionHandler, message: CallMessage): Promise<void> {
  const { call, label } = message;
  const open: OpenCall = { label, abort: new AbortController(), request: null, more: () => undefined };
  openCalls.set(call, open);
  try {
    await answer(handler, message, open);
  } catch (error) {
    // A function that stops because it was told to has not failed.
    if (!open.abort.signal.aborted) write('error', errors.full(error));
    post({ type: 'thrown', call, reason: errors.relative(messageOf(error)) });
  } finally {
    openCalls.delete(call);
  }
}

function receive(handler: FunctionHandler, message: ThreadRequest): void {
  switch (message.type) {
    case 'call':
      void labels.run(message.label, () => serve(handler, message));
      return;
    case 'abort': {
      const open = openCalls.get(message.call);
      if (!open) return;
      // What listens to the signal writes lines of the same run.
      labels.run(open.label, () => {
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

captureConsole(write);
try {
  const handler = await loadHandler();
  parentPort?.on('message', (message: ThreadRequest) => {
    receive(handler, message);
  });
  post({ type: 'loaded' });
} catch (error) {
  const reason = errors.brief(error);
  // The engine keeps the place of a syntax error to itself; the runner asks it in another way.
  const isUnplacedSyntaxError = error instanceof SyntaxError && !reason.endsWith(')');
  post({ type: 'failed', reason, isUnplacedSyntaxError });
}
