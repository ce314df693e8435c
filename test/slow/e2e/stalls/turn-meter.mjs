// Loaded into the program under test before it starts: tells over HTTP for how long its event loop was held, and how long
// a work of known size takes there.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setInterval } from 'node:timers';
import { isMainThread } from 'node:worker_threads';

/**
 * Processor time of the main thread, milliseconds: unlike the clock, it stands still while other programs have the
 * processor (https://docs.kernel.org/scheduler/sched-stats.html). Where there is none, the clock.
 */
function spent() {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ', 1)[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

let last = spent();
let longest = 0;

/** Timers run between the turns of the loop, so that between two of these lies about one turn. */
function beat() {
  const now = spent();
  longest = Math.max(longest, now - last);
  last = now;
}

/** One mebibyte of JSON. */
const MEBIBYTE = `[${'1,'.repeat(524_287)}1]`;

function calibration() {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < 5; count += 1) {
    const before = spent();
    JSON.parse(MEBIBYTE);
    least = Math.min(least, spent() - before);
  }
  return least;
}

if (isMainThread) {
  setInterval(beat, 1).unref();
  createServer((request, response) => {
    beat();
    response.end(String(request.url === '/calibration' ? calibration() : longest));
    last = spent();
    longest = 0;
  })
    .listen(0, '127.0.0.1', function () {
      writeFileSync(process.env.TURN_METER_FILE, String(this.address().port));
    })
    .unref();
}
