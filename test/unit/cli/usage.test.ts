import { jest } from '@jest/globals';
import { CommanderError } from 'commander';
import type { Command } from 'commander';
import { addOperatorCommands } from '../../../src/cli/commands/operator-commands.js';
import { buildProgram } from '../../../servicectl/src/program.js';

/** What the command line says about itself: a command that would work is not run here. */
async function explain(...args: string[]): Promise<{ outcome: string; stdout: string; stderr: string }> {
  let [stdout, stderr] = ['', ''];
  const output = {
    writeOut: (text: string) => {
      stdout += text;
    },
    writeErr: (text: string) => {
      stderr += text;
    },
  };
  const configure = (command: Command): void => {
    command.configureOutput(output);
    command.commands.forEach(configure);
  };
  const program = buildProgram(addOperatorCommands);
  configure(program);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { outcome: error.code, stdout, stderr };
  }
  throw new Error(`servicectl ${args.join(' ')} was carried out`);
}

function visibleOf(command: Command): Command[] {
  return command.createHelp().visibleCommands(command);
}

/** Every command that does something, as it is typed. */
function leaves(command: Command, path: readonly string[] = []): string[] {
  return command.commands.length === 0
    ? [path.join(' ')]
    : visibleOf(command).flatMap((child) => leaves(child, [...path, child.name()]));
}

const commands = leaves(buildProgram(addOperatorCommands));

describe('the command line', () => {
  it('lists its commands', async () => {
    const { outcome, stdout, stderr } = await explain('--help');
    expect([outcome, stderr]).toEqual(['commander.helpDisplayed', '']);
    for (const command of visibleOf(buildProgram(addOperatorCommands)))
      expect(stdout).toMatch(new RegExp(`^ {2}${command.name()} `, 'm'));
  });

  it.each(commands)('explains what servicectl %s does', async (path) => {
    const { outcome, stdout } = await explain(...path.split(' '), '--help');
    expect(outcome).toBe('commander.helpDisplayed');
    expect(stdout).toMatch(new RegExp(`^Usage: servicectl ${path}`));
    expect(stdout).toContain('--json');
  });

  it.each([
    ['start', '/'],
    ['console', '/console'],
    ['docs', '/docs'],
    ['health', '/health'],
  ])('opens the page %s of a server, also below a path of its address', async (page, path) => {
    const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    const args = ['open', page, '--print', '--url', 'https://example.com/id/'];
    await buildProgram(addOperatorCommands).parseAsync(args, { from: 'user' });
    expect(write.mock.calls).toEqual([[`https://example.com/id${path}\n`]]);
    write.mockRestore();
  });

  it.each([
    [['keys', 'turn']],
    [['keys']],
    [['users', 'disable']],
    [['calibrate', '--target-ms', '1e9']],
    [['keys', 'list', '--colour']],
    [['deploy']],
    [['runs', 'erase', 'run_1']],
    [['runs', '--status', 'lost']],
    [['runs', '--limit', '0']],
    [['runs', '--since', 'yesterday']],
    [['trigger', 'greet', '--delay', '5']],
    [['secrets', 'set', 'a/b', 'the value']],
  ])('refuses wrong usage: %j', async (args) => {
    const { stdout, stderr } = await explain(...args);
    expect(stdout).toBe('');
    expect(stderr).not.toBe('');
  });
});
