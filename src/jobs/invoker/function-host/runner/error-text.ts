import { pathToFileURL } from 'node:url';

/** As Node's permission model refuses. */
interface DeniedAccess {
  code?: unknown;
  permission?: unknown;
  resource?: unknown;
}

const RUNNER_FOLDER = new URL('.', import.meta.url).href;
/** `file:line` of a relative path, which is inside the functions folder. */
const LOCATION = /(?<![\w/:.-])([\w.-][\w./-]*\.m?[jt]s):(\d+)/;

/** A readable error: paths are relative to the functions folder, and frames outside of it are left out. */
export class ErrorText {
  constructor(private readonly directory: string) {}

  /** `Error: message` and the frames. */
  full(error: unknown): string {
    if (!(error instanceof Error)) return String(error);
    const lines = (error.stack ?? String(error)).split('\n').filter((line) => !isForeignFrame(line));
    return this.relative(lines.join('\n'));
  }

  /** The first line of the error and, where it is known, `file:line`. */
  brief(error: unknown): string {
    const [first = ''] = this.relative(String(error)).split('\n');
    if (LOCATION.test(first)) return first;
    // Anywhere in the stack: for a TypeScript error, newer releases of Node put the location before the message.
    const location = LOCATION.exec(this.full(error));
    return location?.[1] === undefined ? first : `${first} (${location[1]}:${location[2] ?? ''})`;
  }

  relative(text: string): string {
    return text
      .replaceAll(`${pathToFileURL(this.directory).href}/`, '')
      .replaceAll(`${this.directory}/`, '')
      .replaceAll(this.directory, '.');
  }
}

/** Frames of Node itself or of the runner do not help the author of a function. */
function isForeignFrame(line: string): boolean {
  return /^\s+at /.test(line) && (line.includes('node:') || line.includes(RUNNER_FOLDER));
}

/** What an Error says about itself; anything may be thrown. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message = error.message || error.name;
  const { code, permission, resource } = error as DeniedAccess;
  if (code !== 'ERR_ACCESS_DENIED') return message;
  // Newer releases of Node mention one of their options, which users cannot set here.
  const refusal = message.replace(/\. Use --allow-.*$/, '').replace(/\. ?$/, '');
  const what = [permission, resource].filter((text) => typeof text === 'string' && text !== '').join(' ');
  return `${refusal}${what === '' ? '' : `: ${what}`}; see functions.isolation`;
}
