import { StartupError } from '../../startup/index.js';

/** The embedded servers cannot run; the message tells a person what to do about it. */
export class EmbeddedError extends StartupError {
  override readonly name = 'EmbeddedError';
}

/** What else the operator can do, by what keeps the program from its data folder. */
function remedyOf(code: string, dataDir: string): string | null {
  if (['EACCES', 'EPERM', 'EROFS'].includes(code))
    return `run the Service as the account that owns ${dataDir}`;
  if (['EEXIST', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(code)) return `let ${dataDir} be a folder`;
  return ['ENOSPC', 'EDQUOT'].includes(code) ? `make room where ${dataDir} is` : null;
}

/** The error as reported to the operator, who can fix a data folder that the program may not use. */
export function asEmbeddedError(error: unknown, dataDir: string): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const remedy = remedyOf(code, dataDir);
  if (remedy === null) return error;
  return new EmbeddedError(
    `${message}; ${remedy}, set server.data_dir ` +
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
