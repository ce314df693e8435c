import argon2 from 'argon2';
import type { Terminal } from '../terminal.js';
import { calibrate } from './calibration.js';
import { readConfiguration } from './deployment.js';

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
