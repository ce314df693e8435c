import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { Terminal } from '../terminal.js';

const MIN_TARGET_MS = 10;
const MAX_TARGET_MS = 10_000;

function targetMs(text: string): number {
  const target = Number(text);
  if (Number.isInteger(target) && target >= MIN_TARGET_MS && target <= MAX_TARGET_MS) return target;
  throw new InvalidArgumentError(`Must be a whole number from ${MIN_TARGET_MS} to ${MAX_TARGET_MS}.`);
}

/** `calibrate` */
export function addCalibrateCommand(program: Command): void {
  program
    .command('calibrate')
    .description('Measure this machine, and propose identity.argon2_time_cost')
    .option('--target-ms <milliseconds>', 'how long one password hash may take', targetMs, 250)
    .addHelpText('after', '\nRun it on the machine that serves, while it is idle.')
    .action(async (options: { targetMs: number }, command: Command) => {
      const { proposeTimeCost } = await import('../operator/calibrate.js');
      await proposeTimeCost(Terminal.of(command), options.targetMs);
    });
}
