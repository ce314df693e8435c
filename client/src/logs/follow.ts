import { mayPass } from '../http/retry.js';
import { wait } from '../http/waiting.js';
import { ServiceError } from '../service-error.js';
import type { LogLine } from '../shapes.js';
import { readEvents } from './event-stream.js';

/** A line of a log that is being followed. `event_id` resumes after it. */
export interface FollowedLine extends LogLine {
  readonly event_id: string;
}

/** The service sends a heartbeat every 15 s. */
const SILENCE_MS = 45_000;
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 5_000;

/** What the service sends when no more lines will follow. */
const END = 'end';

/** The default name of an event in the specification. */
const MESSAGE = 'message';

/**
 * The lines of a stream, over as many connections as necessary. Each connection resumes after the last event of the
 * previous one, so no line is lost or repeated. Ends with the run; a stream of many runs does not end.
 * @throws ServiceError if the service refuses, or the first connection fails; the signal's reason
 */
export async function* followLines(
  connect: (lastEventId: string | undefined, signal: AbortSignal | undefined) => Promise<Response>,
  resumeAfter: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<FollowedLine, void, undefined> {
  let lastEventId = resumeAfter;
  let wasConnected = false;
  for (let failures = 0; ; failures += 1) {
    let askedMs = 0;
    try {
      const { body } = await connect(lastEventId, signal);
      if (body === null) return;
      wasConnected = true;
      for await (const { event = MESSAGE, id, data } of readEvents(body, SILENCE_MS, signal)) {
        failures = 0;
        if (event === END) return;
        lastEventId = id ?? lastEventId;
        if (event === MESSAGE) yield { ...(JSON.parse(data) as LogLine), event_id: lastEventId ?? '' };
      }
    } catch (error) {
      if (signal?.aborted === true || !wasConnected || !mayPass(error)) throw error;
      if (error instanceof ServiceError) askedMs = error.retryAfterMs ?? 0;
    }
    const backoffMs = Math.min(FIRST_DELAY_MS * 2 ** failures, MAX_DELAY_MS) * (0.5 + Math.random() / 2);
    await wait(Math.max(backoffMs, askedMs), signal);
  }
}
