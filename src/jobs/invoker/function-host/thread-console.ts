import { Console } from 'node:console';
import { Writable } from 'node:stream';

import type { LineLevel } from './runner-protocol.js';

/** Turns every method of the global console into log lines; one call is one line, whatever it spans. */
export function captureConsole(emit: (level: LineLevel, message: string) => void): void {
  const stream = (level: LineLevel): Writable =>
    new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done): void {
        emit(level, text.endsWith('\n') ? text.slice(0, -1) : text);
        done();
      },
    });
  const consoleAt = (level: LineLevel): Console =>
    new Console({ stdout: stream(level), stderr: stream('error'), colorMode: false });
  // In place, so that `import console from 'node:console'` writes to the same lines.
  const [debug, warn] = [consoleAt('debug'), consoleAt('warn')];
  Object.assign(globalThis.console, consoleAt('info'), {
    debug: (...values: unknown[]) => {
      debug.log(...values);
    },
    warn: (...values: unknown[]) => {
      warn.log(...values);
    },
  });
}
