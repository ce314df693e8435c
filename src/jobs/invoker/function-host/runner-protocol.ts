/**
 * Messages between the three parts of a running function: the host (this program), the runner (main thread of
 * the child: HTTP, memory guard, never runs foreign code) and the function thread (a worker of the child that
 * may block, run out of memory or crash without taking the runner's voice away).
 */

export type LineLevel = 'debug' | 'info' | 'warn' | 'error';

/** The run that a call belongs to; both null for output that no call can be blamed for. */
export interface CallLabel {
  runId: string | null;
  attempt: number | null;
}

export interface RunnerLine extends CallLabel {
  level: LineLevel;
  message: string;
  /** Milliseconds since the epoch, taken where the line was written. */
  at: number;
  /** Of a line that stands for lines that were dropped: how many. */
  dropped?: number;
}

export const NO_CALL: CallLabel = { runId: null, attempt: null };

/** Runner to host. `closing`: takes no new call and has told its runs why; replace me. */
export type RunnerMessage =
  | { type: 'ready'; url: string }
  | { type: 'failed'; reason: string }
  | { type: 'line'; line: RunnerLine }
  | { type: 'begin'; call: number; label: CallLabel }
  | { type: 'end'; call: number }
  | { type: 'closing' };

/** Host to runner. */
export interface HostMessage {
  type: 'drain';
}

export interface ThreadSetup {
  directory: string;
  file: string;
}

export interface CallMessage {
  type: 'call';
  call: number;
  label: CallLabel;
  method: string;
  url: string;
  headers: [string, string][];
  body: Uint8Array | null;
}

/** Runner to function thread. `more` asks for the next chunk of an answer, so that no answer piles up. */
export type ThreadRequest =
  CallMessage | { type: 'abort'; call: number } | { type: 'more'; call: number } | { type: 'ping' };

/** Function thread to runner, about one call. */
export type AnswerMessage =
  | { type: 'head'; call: number; status: number; headers: [string, string][] }
  | { type: 'chunk'; call: number; bytes: Uint8Array }
  | { type: 'end'; call: number }
  | { type: 'thrown'; call: number; reason: string };

export type ThreadMessage =
  | AnswerMessage
  | { type: 'loaded' }
  | { type: 'failed'; reason: string; isUnplacedSyntaxError: boolean }
  | { type: 'line'; line: RunnerLine }
  | { type: 'pong' };
