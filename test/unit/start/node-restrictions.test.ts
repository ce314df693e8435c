import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../../dist/src/main.js', import.meta.url));
const COMMAND = fileURLToPath(new URL('../../../servicectl/servicectl.mjs', import.meta.url));
const WARNING = /^\(node:\d+\)|^\(Use `node|^Warning: /;

function sayingOf(args: readonly string[], options = ''): { status: number | null; lines: string[] } {
  const { PATH, HOME } = process.env;
  const { status, stderr } = spawnSync(process.execPath, args, {
    env: { PATH, HOME, NODE_OPTIONS: options },
    encoding: 'utf8',
  });
  return { status, lines: stderr.split('\n').filter((line) => line !== '' && !WARNING.test(line)) };
}

/** Each release of Node.js knows some of them. */
const OPTIONS = [
  '--disallow-code-generation-from-strings',
  '--frozen-intrinsics',
  '--disable-proto=throw',
  '--jitless',
  '--no-addons',
  '--no-experimental-global-webcrypto',
].filter((option) => process.allowedNodeEnvironmentFlags.has(option));

describe('a start in a Node.js that withholds what packages need', () => {
  it.each(OPTIONS)('names %s and says what to do, in one line and by the variable too', (option) => {
    const ofCommandLine = sayingOf([option, PROGRAM]);
    expect(ofCommandLine).toEqual({
      status: 78,
      lines: [
        expect.stringMatching(
          new RegExp(
            `^The program cannot start: Node\\.js runs with ${option}, which .*; remove the option from`,
          ),
        ),
      ],
    });
    expect(sayingOf([PROGRAM], option)).toEqual(ofCommandLine);
  });

  it('names the permission model where it allows reading alone', () => {
    const option = process.allowedNodeEnvironmentFlags.has('--permission')
      ? '--permission'
      : '--experimental-permission';
    expect(sayingOf([option, '--allow-fs-read=*', PROGRAM])).toEqual({
      status: 78,
      lines: [
        expect.stringContaining('runs with --permission, which keeps the program from files and processes'),
      ],
    });
  });

  it('is refused as a command of the operator, too', () => {
    expect(sayingOf(['--no-addons', COMMAND, 'keys', 'list'])).toEqual({
      status: 78,
      lines: [expect.stringContaining('Node.js runs with --no-addons, which')],
    });
  });
});
