import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';

/**
 * The program tells this shell the pids of its servers through a pipe. When the program dies, by whatever
 * signal, the pipe ends, and the shell stops the servers: INT is PostgreSQL's fast shutdown, and after 20 s it
 * gets QUIT, which is safe as well. initdb runs servers of its own, so its whole group is ended.
 */
const SCRIPT = `
postgres= redis= initdb=
while read -r name pid; do
  case $name in
    postgres) postgres=$pid ;;
    redis) redis=$pid ;;
    initdb) initdb=$pid ;;
    finished) exit 0 ;;
  esac
done
alive() { [ -n "$1" ] && kill -0 "$1"; }
[ -n "$initdb" ] && kill -s TERM -- "-$initdb"
[ -n "$postgres" ] && kill -INT "$postgres"
[ -n "$redis" ] && kill -TERM "$redis"
seconds=0
while { alive "$postgres" || alive "$redis"; } && [ "$seconds" -lt 20 ]; do
  sleep 1
  seconds=$((seconds + 1))
done
alive "$postgres" && kill -QUIT "$postgres"
alive "$redis" && kill -KILL "$redis"
exit 0
`;

export type WatchedName = 'postgres' | 'redis' | 'initdb';

/** Stops the servers when the program was killed and could not do it itself. */
export class Watchdog {
  readonly #shell: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor() {
    // Its own session: a terminal's Ctrl-C, meant for the program, must not end it.
    this.#shell = spawn('/bin/sh', ['-c', SCRIPT], {
      detached: true,
      cwd: '/',
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#ended = once(this.#shell, 'exit').catch(() => undefined);
    // The next start finds stale servers even without the watchdog, so its loss must not end the program.
    this.#shell.on('error', () => undefined);
    this.#shell.stdin?.on('error', () => undefined);
    this.#shell.unref();
    (this.#shell.stdin as Socket | null)?.unref();
  }

  /** Null: there is none to stop any more. */
  watch(name: WatchedName, pid: number | null): void {
    this.#send(`${name} ${pid ?? ''}`);
  }

  /** Ends the watchdog without stopping anything. */
  async finish(): Promise<void> {
    if (this.#shell.pid === undefined || this.#shell.exitCode !== null) return;
    this.#shell.ref();
    this.#send('finished');
    await this.#ended;
  }

  #send(line: string): void {
    if (this.#shell.stdin?.writable === true) this.#shell.stdin.write(`${line}\n`);
  }
}
