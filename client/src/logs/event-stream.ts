import { createParser } from 'eventsource-parser';
import type { EventSourceMessage } from 'eventsource-parser';
import { abortable, withinTime } from '../http/waiting.js';

/**
 * The Server-Sent Events of a body (https://html.spec.whatwg.org/multipage/server-sent-events.html), until it ends.
 * @param silenceMs how long without a byte, heartbeats included, until the connection is considered dead
 * @throws ServiceError `timeout`; the signal's reason; the error of the connection
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  silenceMs: number,
  signal?: AbortSignal,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  const arrived: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => arrived.push(event) });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const chunk = await withinTime(silenceMs, signal, (limit) => abortable(reader.read(), limit));
      if (chunk.done) return;
      parser.feed(decoder.decode(chunk.value, { stream: true }));
      yield* arrived.splice(0);
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
