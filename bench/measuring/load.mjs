import autocannon from 'autocannon';
import { percentile } from './statistics.mjs';

/** autocannon tells of its end at the next sample. */
const SAMPLE_MS = 100;

/**
 * Sends `amount` requests over `connections` connections, each the next as soon as it has an answer.
 * @param {object} of
 * @param {(connection: number) => object} of.requestOf what a connection sends, as autocannon takes it
 * @param {string} of.proof what each answer holds
 * @returns {Promise<{ perSecond: number, p50: number, p99: number, beganAt: number }>} latencies in milliseconds,
 *   the beginning by performance.now()
 * @throws when an answer has another status, or lacks the proof
 */
export async function load({ url, connections, amount, expected, proof, requestOf }) {
  let connection = 0;
  let endedAt = 0;
  const latencies = [];
  const unexpected = new Map();
  const beganAt = performance.now();
  const { errors, mismatches } = await autocannon({
    url,
    connections,
    amount,
    timeout: 60,
    sampleInt: SAMPLE_MS,
    verifyBody: (body) => body.includes(proof),
    setupClient: (client) => {
      client.setRequests([requestOf(connection)]);
      connection += 1;
      client.on('response', (status, _bytes, latency) => {
        endedAt = performance.now();
        latencies.push(latency);
        if (status !== expected) unexpected.set(status, (unexpected.get(status) ?? 0) + 1);
      });
    },
  });
  if (unexpected.size > 0 || errors > 0 || mismatches > 0)
    throw new Error(
      `${url}: ${errors} connections failed, ${mismatches} answers lack ${proof}, of other status than ${expected}: ` +
        JSON.stringify(Object.fromEntries(unexpected)),
    );
  return {
    perSecond: latencies.length / ((endedAt - beganAt) / 1_000),
    p50: percentile(latencies, 50),
    p99: percentile(latencies, 99),
    beganAt,
  };
}
