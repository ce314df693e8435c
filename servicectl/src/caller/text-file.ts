import { readFileSync } from 'node:fs';
import { CommandError } from '../command-error.js';
import type { ExitCode } from '../command-error.js';
import { decode } from './decode.js';

/**
 * The text of a file, in UTF-8 or as its byte order mark says, and without that mark.
 * @throws CommandError when there is none
 */
export function textOfFile(file: string, exitCode?: ExitCode): string {
  return textOf(file, readingOf(file, exitCode), exitCode);
}

function readingOf(file: string, exitCode: ExitCode | undefined): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandError(
      code === 'ENOENT' ? `there is no ${file}` : `${file} cannot be read: ${message}`,
      exitCode,
    );
  }
}

/** @param name of what the bytes are, for people. @throws CommandError */
export function textOf(name: string, bytes: Uint8Array, exitCode?: ExitCode): string {
  return decode(
    bytes,
    (charset) => new CommandError(`${name} is not ${charset}; save it as UTF-8`, exitCode),
  );
}
