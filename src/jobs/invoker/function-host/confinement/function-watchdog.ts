import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';

/**
 * The program reports its functions' processes to this shell through a pipe. When the program dies by any signal, the
 * pipe ends, and the shell kills them, since one that hangs would not notice by itself. It also removes the copies that
 * were made for them.
 */
const SCRIPT = `
pids= copies=
while read -r change pid; do
  case $change in
    copies) copies=$pid ;;
    add) pids="$pids $pid" ;;
    drop)
      kept=
      for one in $pids; do [ "$one" = "$pid" ] || kept="$kept $one"; done
      pids=$kept
      ;;
  esac
done
for pid in $pids; do kill -s KILL -- "-$pid"; done
[ -z "$copies" ] || rm -rf -- "$copies"
`;

/** Kills the remaining functions if the program was killed and could not do it itself. */
export class FunctionWatchdog {
  #shell: ChildProcess | null = null;

  add(pid: number): void {
    this.#shell ??= this.#start();
    this.#send(`add ${pid}`);
  }

  /** The folder of copies, to be removed at the end. */
  removeAtEnd(copies: string): void {
    this.#shell ??= this.#start();
    this.#send(`copies ${copies}`);
  }

  drop(pid: number): void {
    this.#send(`drop ${pid}`);
  }

  /** Ends the watchdog, which kills all processes that it still watches. */
  finish(): void {
    this.#shell?.stdin?.end();
    this.#shell = null;
  }

  #start(): ChildProcess {
    // Its own session: a terminal's Ctrl-C, meant for the program, must not end it.
    const shell = spawn('/bin/sh', ['-c', SCRIPT], {
      detached: true,
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    shell.on('error', () => undefined);
    shell.stdin.on('error', () => undefined);
    shell.unref();
    (shell.stdin as Socket).unref();
    return shell;
  }

  #send(line: string): void {
    if (this.#shell?.stdin?.writable === true) this.#shell.stdin.write(`${line}\n`);
  }
}
