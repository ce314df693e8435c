/**
 * Messages between the program and the process of a function. The process runs only the runner and the function, in
 * one thread, so every message from it comes from untrusted code. Messages are checked, and each call is identified by a
 * key that only this call gets.
 */

export type LineLevel = 'debug' | 'info' | 'warn' | 'error';

/** The run that a call belongs to; both null for output that belongs to no call. */
export interface CallLabel {
  runId: string | null;
  attempt: number | null;
}

export const NO_CALL: CallLabel = { runId: null, attempt: null };

export interface Line {
  level: LineLevel;
  message: string;
  /** Milliseconds since the epoch, taken where the line was written. */
  at: number;
  /** How many dropped lines this line reports. */
  dropped?: number;
}

export type RunnerLine = Line & CallLabel;

/** A line as the function's process sends it, with the key of its call, if any. */
export interface CallLine extends Line {
  call: string | null;
}

export interface Account {
  uid: number;
  gid: number;
}

/** The runner's only argument, as JSON. */
export interface RunnerSetup {
  directory: string;
  file: string;
  /** The user to become before the function loads; null to keep the current one. */
  account: Account | null;
  isConfined: boolean;
}

/** The descriptor of the channel in the function's process. */
export const CHANNEL_FD = 3;

/** What a process sends in one frame, at most: text, and bytes of an answer. */
export const MAX_MESSAGE_BYTES = 256 * 1024;
export const MAX_CHUNK_BYTES = 256 * 1024;

/** With the body of the request as the frame's bytes, unless it has none. */
export interface CallMessage {
  type: 'call';
  call: string;
  method: string;
  url: string;
  headers: [string, string][];
}

/** Program to runner. `more` asks for the next chunk of an answer, so that no answer piles up. */
export type HostMessage =
  CallMessage | { type: 'abort'; call: string } | { type: 'more'; call: string } | { type: 'ping' };

/** Runner to program, about one call. A chunk's bytes are those of its frame. */
export type AnswerMessage =
  | { type: 'head'; call: string; status: number; headers: [string, string][] }
  | { type: 'chunk'; call: string }
  | { type: 'end'; call: string }
  | { type: 'thrown'; call: string; reason: string };

export type RunnerMessage =
  | AnswerMessage
  | { type: 'loaded' }
  | { type: 'failed'; reason: string; isUnplacedSyntaxError: boolean }
  | { type: 'crashed'; reason: string; detail: string }
  | { type: 'line'; line: CallLine }
  | { type: 'pong' };
