import argon2 from 'argon2';
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { calibrate } from '../calibration.js';
import { withConfig } from '../command-context.js';

const MIN_TARGET_MS = 10;
const MAX_TARGET_MS = 10_000;
/** RFC 9106, section 4: the second recommended option, for 64 MiB. */
const RECOMMENDED_TIME_COST = 3;

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
    .action((options: { targetMs: number }, command: Command) => propose(command, options.targetMs));
}

async function propose(command: Command, target: number): Promise<void> {
  await withConfig(command, async ({ config, terminal }) => {
    const { argon2MemoryKib: memoryCost, argon2Parallelism: parallelism } = config.identity;
    const measure = async (timeCost: number): Promise<number> => {
      const startedAt = performance.now();
      await argon2.hash('a password to measure with', {
        type: argon2.argon2id,
        memoryCost,
        parallelism,
        timeCost,
      });
      return performance.now() - startedAt;
    };
    const { timeCost, measuredMs } = await calibrate(target, measure);
    const milliseconds = Math.round(measuredMs);
    terminal.result(
      {
        argon2_time_cost: timeCost,
        argon2_memory_kib: memoryCost,
        argon2_parallelism: parallelism,
        target_ms: target,
        measured_ms: milliseconds,
      },
      [
        `One hash takes ${milliseconds} ms (target ${target} ms) with ${memoryCost} KiB and parallelism ${parallelism}.`,
        'In service.toml:',
        '',
        '[identity]',
        `argon2_time_cost = ${timeCost}`,
      ].join('\n'),
    );
    if (measuredMs > target) terminal.note('Even one pass takes longer than the target.');
    if (timeCost < RECOMMENDED_TIME_COST)
      terminal.note(
        `RFC 9106 recommends ${RECOMMENDED_TIME_COST} passes at 64 MiB: allow more time, or set argon2_memory_kib lower.`,
      );
  });
}
