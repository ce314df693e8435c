import { section } from '../../schema/setting.js';
import { milliseconds } from './durations.js';

export const workers = section('Workers and the runs that they hold.', {
  heartbeat_ms: milliseconds(3_000, 'Time between two heartbeats of a worker.'),
  dead_after_ms: milliseconds(
    9_000,
    'Time without a heartbeat after which a worker counts as dead and others take its runs; the same on all instances.',
  ),
});

export const runs = section('Acceptance of runs.', {
  lock_limit_ms: milliseconds(
    1_000,
    'How long accepting runs waits for the slot counts of their tenants, which claims and ends hold for one statement.',
  ),
});

export const functions = section('Processes of functions.', {
  load_limit_ms: milliseconds(10_000, 'A function that takes longer to load counts as broken.'),
  idle_ms: milliseconds(20_000, 'How long an idle function keeps its process.'),
  hang_ms: milliseconds(
    2_000,
    "A turn of a function's event loop that lasts longer, after the caller has given up, counts as a hang.",
  ),
});
