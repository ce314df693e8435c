import { syncBuiltinESMExports } from 'node:module';
import net, { Server, Socket } from 'node:net';

import type { Account } from './runner-protocol.js';

type NativeKill = (pid: number, signal: number) => number;

type Method = (this: unknown, ...values: unknown[]) => unknown;

type Options = Record<string, unknown>;

interface Handed {
  options: Options;
  handed: unknown[];
}

interface InternalProcess {
  _kill?: NativeKill;
  _debugProcess?: unknown;
  _debugEnd?: unknown;
  _getActiveHandles?: unknown;
}

/** Taken before any function runs, which may replace those of the global objects. */
const { apply } = Reflect;
const { isArray } = Array as { isArray: (value: unknown) => value is unknown[] };

/** Becomes another user permanently: all user ids, the group, and no other groups. Only root can do this. */
export function becomeUser({ uid, gid }: Account): void {
  process.setgroups?.([gid]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}

/**
 * Removes what Node's permission model still allows: access to the handle of the channel; signals to other processes of
 * the same user, because SIGUSR1 opens the debugger of any Node program; and Unix sockets, because a database may take the
 * function for the program by its user.
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

/**
 * Node gets only objects that are created here, from values that were each read once. An object from the function could
 * return another value the next time, and so could a prototype that it has changed.
 */
function withholdLocalSockets(): void {
  const client = Socket.prototype as unknown as { connect: Method };
  const { connect } = client;
  client.connect = function (this: unknown, ...values: unknown[]): unknown {
    // `net.connect` passes its own values on as an array.
    const { options, handed } = isArray(values[0])
      ? read(values[0][0], undefined, values[0][1])
      : read(values[0], values[1], values[values.length - 1]);
    refuseLocal(options, 'connect to');
    return apply(connect, this, handed);
  };
  const server = Server.prototype as unknown as { listen: Method; _listen2?: Method };
  const { listen, _listen2: setUp } = server;
  server.listen = function (this: unknown, ...values: unknown[]): unknown {
    const { options, handed } = read(values[0], values[1], values[values.length - 1]);
    refuseLocal(options, 'listen on');
    // Node takes an object in one of these for the options.
    if (options['_handle'] || options['handle']) throw refusal('a function may not listen on a handle');
    if (typeof values[0] === 'function') options['port'] = 0;
    if (typeof values[1] === 'number') options['backlog'] ??= values[1];
    if (typeof values[2] === 'number') options['backlog'] ??= values[2];
    return apply(listen, this, handed);
  };
  if (setUp !== undefined)
    server._listen2 = function (this: unknown, ...values: unknown[]): unknown {
      // This is how Node represents a Unix socket.
      if (values[1] === -1) throw refusal('a function may not listen on a socket that is a file');
      return apply(setUp, this, values);
    };
  delete (net as { _createServerHandle?: unknown })._createServerHandle;
}

/**
 * The options that Node would make of these values, and what to hand it: them and the callback. An object, since taking
 * an array apart asks the prototype of its iterator.
 */
function read(first: unknown, second: unknown, last: unknown): Handed {
  let options: Options;
  // Without a prototype, because the function could have added a path to it.
  if (typeof first === 'object' && first !== null) options = { __proto__: null, ...first };
  else if (typeof first === 'string' && !isPort(first)) options = { __proto__: null, path: first };
  else if (typeof second === 'string') options = { __proto__: null, port: first, host: second };
  else options = { __proto__: null, port: first };
  return { options, handed: typeof last === 'function' ? [options, last] : [options] };
}

function isPort(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const digit = text[at];
    if (digit === undefined || digit < '0' || digit > '9') return false;
  }
  return text !== '';
}

function refuseLocal(options: Options, verb: string): void {
  if (options['path']) throw refusal(`a function may not ${verb} a socket that is a file`);
}

function refusal(message: string): Error {
  const error: NodeJS.ErrnoException = new Error(message);
  error.code = 'ERR_ACCESS_DENIED';
  return error;
}
