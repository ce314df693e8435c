import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import headless from '@xterm/headless';
import { until } from '../../../support/until.js';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const LAUNCHER = fileURLToPath(new URL('../../../../servicectl/servicectl.mjs', import.meta.url));
export const COLUMNS = 80;
const ROWS = 24;

export interface Screen {
  readonly code: number | null;
  /** What is left on it, long lines whole. */
  readonly text: string;
  /** Whether the beginning has scrolled away. */
  readonly hasScrolled: boolean;
  /** Every byte that came, also of what was overwritten. */
  readonly raw: string;
}

/**
 * Types a shell command at a terminal of 80 columns and 24 rows, in the folder of a checkout, where `npx servicectl` is
 * the build.
 * @param answers what is typed when a question appears, by the beginning of the question; each question comes once
 */
export async function typeCommand(
  command: string,
  answers: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>>,
): Promise<Screen> {
  const { PATH = '', HOME = '' } = process.env;
  const terminal = new headless.Terminal({
    cols: COLUMNS,
    rows: ROWS,
    allowProposedApi: true,
    scrollback: 1_000,
  });
  const runnable = command.replaceAll('npx servicectl', `'${process.execPath}' '${LAUNCHER}'`);
  // util-linux's script gives it a terminal.
  const child = spawn('script', ['-qfec', `stty cols ${COLUMNS} rows ${ROWS}; ${runnable}`, '/dev/null'], {
    cwd: ROOT,
    // npx sets the last of these.
    env: { PATH, HOME, TERM: 'xterm-256color', npm_lifecycle_event: 'npx', ...variables },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const open = new Map(Object.entries(answers));
  let raw = '';
  child.stdout.on('data', (chunk: Buffer) => {
    raw += chunk.toString('utf8');
    terminal.write(chunk);
    for (const [question, answer] of open) {
      if (!raw.includes(question)) continue;
      open.delete(question);
      child.stdin.write(`${answer}\r`);
    }
  });
  const closed = once(child, 'close');
  await until(
    () => child.exitCode !== null,
    60_000,
    () => raw,
  );
  await closed;
  await new Promise<void>((resolve) => {
    terminal.write('', resolve);
  });
  return { code: child.exitCode, text: textOn(terminal), hasScrolled: terminal.buffer.active.baseY > 0, raw };
}

function textOn({ buffer }: headless.Terminal): string {
  let text = '';
  for (let row = 0; row < buffer.active.length; row += 1) {
    const line = buffer.active.getLine(row);
    const goesOn = buffer.active.getLine(row + 1)?.isWrapped === true;
    text += `${line?.translateToString(!goesOn) ?? ''}${goesOn ? '' : '\n'}`;
  }
  return text.trimEnd();
}
