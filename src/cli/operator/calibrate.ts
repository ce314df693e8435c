import argon2 from 'argon2';
import type { Terminal } from '../../../servicectl/src/index.js';
import { readConfiguration } from './deployment.js';

/** Longest search; the largest value that the configuration takes. */
const MAX_TIME_COST = 100;
const ROUNDS = 3;

export interface Calibration {
  readonly timeCost: number;
  /** How long one hash with it takes, milliseconds. */
  readonly measuredMs: number;
}

/** The fastest of a few: whatever else the machine did only adds. */
async function fastest(measure: (timeCost: number) => Promise<number>, timeCost: number): Promise<number> {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) best = Math.min(best, await measure(timeCost));
  return best;
}

/**
 * The largest time cost that stays within the target, and at least 1. Time grows by the same amount with each
 * pass, so two measurements tell where to look.
 * @param measure the time of one hash with a time cost, milliseconds
 */
export async function calibrate(
  targetMs: number,
  measure: (timeCost: number) => Promise<number>,
): Promise<Calibration> {
  await measure(1);
  const one = await fastest(measure, 1);
  const three = await fastest(measure, 3);
  const perPass = Math.max((three - one) / 2, 0.01);
  const guess = 1 + Math.floor((targetMs - one) / perPass);
  let timeCost = Math.min(Math.max(guess, 1), MAX_TIME_COST);
  let measuredMs = await fastest(measure, timeCost);
  while (measuredMs > targetMs && timeCost > 1) {
    // Of a busy machine's first measurements the guess may be far too high: in proportion, and always downwards.
    timeCost = Math.max(1, Math.min(timeCost - 1, Math.floor((timeCost * targetMs) / measuredMs)));
    measuredMs = await fastest(measure, timeCost);
  }
  return { timeCost, measuredMs };
}

/** RFC 9106, section 4: the second recommended option, for 64 MiB. */
const RECOMMENDED_TIME_COST = 3;

/** @param target of one hash, milliseconds */
export async function proposeTimeCost(terminal: Terminal, target: number): Promise<void> {
  const { argon2MemoryKib: memoryCost, argon2Parallelism: parallelism } = readConfiguration().identity;
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
}
