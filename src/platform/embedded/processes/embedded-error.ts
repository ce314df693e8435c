import { StartupError } from '../../startup/index.js';

/** The embedded servers cannot run; the message tells a person what to do about it. */
export class EmbeddedError extends StartupError {
  override readonly name = 'EmbeddedError';
}

/** The error as reported to the operator, who can fix a data folder that the program may not use. */
export function asEmbeddedError(error: unknown, dataDir: string): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (!['EACCES', 'EPERM', 'EROFS'].includes(code)) return error;
  return new EmbeddedError(
    `${message}; run the Service as the account that owns ${dataDir}, set server.data_dir ` +
      '(SERVICE_SERVER__DATA_DIR) to a folder that it can write, or use a database of your own: set database.url ' +
      '(SERVICE_DATABASE__URL) and redis.url (SERVICE_REDIS__URL)',
    { cause: error },
  );
}

/** One line for the program's own log. */
export interface LogLine {
  level: 'info' | 'warn' | 'error';
  message: string;
}

export type LogSink = (line: LogLine) => void;
