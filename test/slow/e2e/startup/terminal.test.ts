import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { createEnvironment } from '../../../support/environment.js';
import { until } from '../../../support/until.js';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
/** The tour is proposed where its functions are. */
const FUNCTIONS_OF_TOUR = fileURLToPath(new URL('../../../../examples/hello/functions', import.meta.url));
const CTRL_C = '\x03';

let onTestEnd = (): unknown => undefined;

afterEach(() => onTestEnd());

test('npm start on a terminal writes log lines for people, names the tour and the command line, and stops at Ctrl-C', async () => {
  const environment = await createEnvironment();
  const { PATH = '', HOME = '' } = process.env;
  // util-linux's script gives it a terminal. A shell between them would end by the Ctrl-C itself, with 130.
  const child = spawn('script', ['-qfec', `exec '${process.execPath}' scripts/start.mjs`, '/dev/null'], {
    cwd: ROOT,
    env: {
      PATH,
      HOME,
      TERM: 'xterm-256color',
      ...environment.variables,
      SERVICE_FUNCTIONS__DIR: FUNCTIONS_OF_TOUR,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += stripVTControlCharacters(chunk.toString('utf8'))));
  const closed = once(child, 'close');
  // A failure below must not leave the program running: without its terminal it ends.
  onTestEnd = () => child.kill();
  await until(
    () => output.includes('/auth/v1/orgs') || child.exitCode !== null,
    60_000,
    () => output,
  );
  expect(output).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: Functions: functions in /m);
  expect(output).toMatch(/^ +npm run tour +/m);
  expect(output).toMatch(/^ +npx servicectl --help +/m);
  expect(output).not.toMatch(/^\{"level"/m);
  child.stdin.write(CTRL_C);
  expect(await closed).toEqual([0, null]);
  await environment.dispose();
});
