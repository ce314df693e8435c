import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';

import type { Account } from './runner-protocol.js';

type NativeKill = (pid: number, signal: number) => number;

interface InternalProcess {
  _kill?: NativeKill;
  _debugProcess?: unknown;
  _debugEnd?: unknown;
  _getActiveHandles?: unknown;
}

/** Taken before any function runs, which may replace those of the global objects. */
const { apply } = Reflect;

/** Becomes another user for good: all user ids, the group, and no other group. For root only. */
export function becomeUser({ uid, gid }: Account): void {
  process.setgroups?.([gid]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}

/**
 * Takes from the function what Node's permission model leaves to it: the handle of the channel; signals to other
 * processes of the same user, of which SIGUSR1 opens the debugger of any Node program; and sockets that are files, where
 * a database may believe that the user is the program.
 */
export function withholdRights(): void {
  withholdSignals();
  withholdLocalSockets();
  syncBuiltinESMExports();
}

function withholdSignals(): void {
  const own = process.pid;
  const kill = process.kill.bind(process);
  const internal = process as unknown as InternalProcess;
  const nativeKill = internal._kill;
  delete internal._kill;
  delete internal._debugProcess;
  delete internal._debugEnd;
  delete internal._getActiveHandles;
  process.kill = (pid: number, signal?: string | number): true => {
    if (pid !== own) throw refusal('a function may send signals to itself only');
    // Node's `kill` looks the signal up, and calls this.
    internal._kill = (_pid, number) =>
      nativeKill === undefined ? 0 : apply(nativeKill, process, [own, number]);
    try {
      return kill(own, signal);
    } finally {
      delete internal._kill;
    }
  };
}

function withholdLocalSockets(): void {
  const { connect } = Socket.prototype as { connect: (...values: unknown[]) => Socket };
  Socket.prototype.connect = function (this: Socket, ...values: unknown[]): Socket {
    // `net.connect` passes its own values on as an array, whose first is an object of options.
    const first: unknown = Array.isArray(values[0]) ? values[0][0] : values[0];
    // Read once: a getter could answer otherwise next time.
    const options = typeof first === 'object' && first !== null ? { ...first } : first;
    if (Array.isArray(values[0])) values[0][0] = options;
    else values[0] = options;
    if (isLocalSocket(options)) throw refusal('a function may not connect to a socket that is a file');
    return apply(connect, this, values);
  };
}

function isLocalSocket(options: unknown): boolean {
  if (typeof options === 'object' && options !== null) return Boolean((options as { path?: unknown }).path);
  return typeof options === 'string' && !/^\d+$/.test(options);
}

function refusal(message: string): Error {
  const error: NodeJS.ErrnoException = new Error(message);
  error.code = 'ERR_ACCESS_DENIED';
  return error;
}
