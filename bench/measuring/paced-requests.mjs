import { setTimeout as wait } from 'node:timers/promises';
import { percentile } from './statistics.mjs';

/**
 * Sends a GET request at a steady pace until the work has ended, whether or not the earlier ones were answered.
 * @returns {Promise<{ p50: number, p99: number }>} latencies in milliseconds
 */
export async function requestsWhile(work, { url, headers, perSecond }) {
  let isOver = false;
  const end = Promise.resolve(work).finally(() => {
    isOver = true;
  });
  const requests = [];
  const beganAt = performance.now();
  while (!isOver) {
    requests.push(latencyOf(url, headers));
    await wait(Math.max(0, beganAt + (requests.length * 1_000) / perSecond - performance.now()));
  }
  await end;
  const latencies = await Promise.all(requests);
  return { p50: percentile(latencies, 50), p99: percentile(latencies, 99) };
}

async function latencyOf(url, headers) {
  const sentAt = performance.now();
  const response = await fetch(url, { headers });
  await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return performance.now() - sentAt;
}
