import { syncBuiltinESMExports } from 'node:module';

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
 * Takes from the function what Node's permission model leaves to it: signals to other processes of the same user, of
 * which SIGUSR1 opens the debugger of any Node program, and the handle of the channel.
 */
export function withholdSignals(): void {
  const own = process.pid;
  const { kill } = process;
  const internal = process as unknown as InternalProcess;
  const nativeKill = internal._kill;
  for (const name of ['_kill', '_debugProcess', '_debugEnd', '_getActiveHandles'] as const)
    delete internal[name];
  process.kill = (pid: number, signal?: string | number): true => {
    if (pid !== own) throw refusal();
    // Node's `kill` looks the signal up, and calls this.
    internal._kill = (_pid, number) =>
      nativeKill === undefined ? 0 : apply(nativeKill, process, [own, number]);
    try {
      return apply(kill, process, [own, signal]);
    } finally {
      delete internal._kill;
    }
  };
  syncBuiltinESMExports();
}

function refusal(): Error {
  const error: NodeJS.ErrnoException = new Error('a function may send signals to itself only');
  error.code = 'ERR_ACCESS_DENIED';
  return error;
}
