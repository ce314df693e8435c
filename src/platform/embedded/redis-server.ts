import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import pTimeout from 'p-timeout';
import { EmbeddedError } from './processes/embedded-error.js';
import type { LogLine, LogSink } from './processes/embedded-error.js';
import { commandLine, endProcess } from './processes/process-identity.js';
import type { ServerCommand } from './processes/server-child.js';
import type { ServerKind } from './processes/supervised-server.js';

const run = promisify(execFile);
const ANSWER_BOUND_MS = 2_000;
export const OLDEST_REDIS = '6.2';

export function redisUrl(password: string, port: number): string {
  return `redis://:${password}@127.0.0.1:${port}`;
}

/** Redis, or Valkey, with an append-only file, on 127.0.0.1 and by password only. */
export class RedisServer implements ServerKind {
  readonly name = 'redis';
  readonly title = 'Redis';
  /** TERM writes the append-only file out and ends. */
  readonly stopSteps = [
    { signal: 'SIGTERM', waitMs: 10_000 },
    { signal: 'SIGKILL', waitMs: 5_000 },
  ] as const;
  readonly #configFile: string;
  readonly #pidFile: string;
  #binary: string | null = null;

  constructor(
    private readonly folder: string,
    private readonly password: string,
    private readonly log: LogSink,
  ) {
    this.#configFile = join(folder, 'redis.conf');
    this.#pidFile = join(folder, 'redis.pid');
  }

  url(port: number): string {
    return redisUrl(this.password, port);
  }

  async clearStale(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const pid = Number.parseInt(await readFile(this.#pidFile, 'utf8').catch(() => ''), 10);
    if (pid > 0 && (await commandLine(pid)).endsWith(` ${this.#configFile}`)) {
      this.log({ level: 'info', message: `ending the Redis (pid ${pid}) of a Service that was killed` });
      if (!(await endProcess(pid, this.stopSteps))) {
        throw new EmbeddedError(`an earlier Redis (pid ${pid}) still uses ${this.folder}; end it`);
      }
    }
    await rm(this.#pidFile, { force: true });
  }

  async command(port: number): Promise<ServerCommand> {
    this.#binary ??= await locateRedis();
    const settings: [key: string, value: string | number][] = [
      ['bind', '127.0.0.1'],
      ['port', port],
      ['protected-mode', 'yes'],
      ['requirepass', this.password],
      ['daemonize', 'no'],
      ['supervised', 'no'],
      ['dir', JSON.stringify(this.folder)],
      ['pidfile', JSON.stringify(this.#pidFile)],
      // clearStale recognises the server by its argument, which a title would replace.
      ['set-proc-title', 'no'],
      ['appendonly', 'yes'],
      ['save', '""'],
      ['maxmemory-policy', 'noeviction'],
      ['loglevel', 'warning'],
      ['logfile', '""'],
    ];
    // In a file, since every account of the machine can read a process's arguments. Written under another
    // name first: a file that exists keeps its mode.
    const temporary = `${this.#configFile}.new`;
    await rm(temporary, { force: true });
    await writeFile(temporary, settings.map(([key, value]) => `${key} ${value}\n`).join(''), { mode: 0o600 });
    await rename(temporary, this.#configFile);
    return { file: this.#binary, args: [this.#configFile] };
  }

  /** False also while it loads its file: it answers a PING with LOADING then. */
  async answers(port: number): Promise<boolean> {
    const client = new Redis({
      host: '127.0.0.1',
      port,
      password: this.password,
      lazyConnect: true,
      enableReadyCheck: false,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
      // A refused connection leaves this timer behind, and with it a program that is done alive.
      disconnectTimeout: 50,
    });
    client.on('error', () => undefined);
    try {
      let hasAnswered = false;
      const ping = client.connect().then(async () => {
        await client.ping();
        hasAnswered = true;
      });
      // Not by the client's own limits, whose timers outlive the disconnection.
      await pTimeout(ping, { milliseconds: ANSWER_BOUND_MS, message: false });
      return hasAnswered;
    } catch {
      return false;
    } finally {
      client.disconnect();
    }
  }

  /**
   * Another try helps if the port was taken in the meantime. An append-only file that Redis cannot read is moved aside:
   * it contains only wake-ups, which are created again from PostgreSQL.
   */
  async curesFailedStart(output: string): Promise<boolean> {
    if (/Address already in use|Could not create server TCP listening socket/i.test(output)) return true;
    const data = join(this.folder, 'appendonlydir');
    const isUnreadable = /append only|AOF|RDB/i.test(output) && !/Permission denied|No space/i.test(output);
    if (!isUnreadable || (await stat(data).catch(() => null)) === null) return false;
    const aside = `${data}.unreadable-${Date.now()}`;
    await rename(data, aside);
    this.log({
      level: 'warn',
      message: `Redis cannot read its file; it is kept as ${aside}, Redis starts empty`,
    });
    return true;
  }

  classify(line: string): LogLine['level'] | null {
    // Its own mark for a warning; the rest is about the normal course of things.
    return / # /.test(line) ? 'warn' : null;
  }
}

async function locateRedis(): Promise<string> {
  // The shell looks along the PATH that the program was started with.
  const found = await run('/bin/sh', ['-c', 'command -v redis-server || command -v valkey-server']).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
  if (found === '') {
    throw new EmbeddedError(
      'there is no redis-server or valkey-server on PATH; install one (Debian, Ubuntu: apt-get install ' +
        'redis-server; Fedora: dnf install redis; Alpine: apk add redis; macOS: brew install redis), or set ' +
        'redis.url (SERVICE_REDIS__URL) to a Redis that you run',
    );
  }
  const version = await run(found, ['--version']).then(
    ({ stdout }) => stdout,
    (error: unknown) => (error as Error).message,
  );
  if (isSupportedRedis(/v=(\d+\.\d+)/.exec(version)?.[1] ?? '')) return found;
  throw new EmbeddedError(
    `${found} is not Redis ${OLDEST_REDIS} or newer (it says: ${version.trim()}); install a newer one, or set ` +
      'redis.url (SERVICE_REDIS__URL) to a Redis that you run',
  );
}

/** @param version such as `7.2.4` */
export function isSupportedRedis(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_REDIS.split('.').map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}
