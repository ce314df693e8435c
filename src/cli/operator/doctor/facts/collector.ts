import { OutboundClient } from '../../../../platform/outbound/index.js';
import { collectorRequest } from '../../../../platform/tracing/index.js';
import type { Collector } from '../../../../platform/tracing/index.js';

const ANSWER_LIMIT_MS = 5_000;

/** What a collector makes of a request without spans: its status, or why there is none. */
export type CollectorAnswer = { readonly status: number } | { readonly failure: string };

export async function collectorAnswer(collector: Collector): Promise<CollectorAnswer> {
  const outbound = new OutboundClient();
  try {
    const { status } = await outbound.post({
      ...collectorRequest(collector, Buffer.alloc(0)),
      timeoutMs: ANSWER_LIMIT_MS,
    });
    return { status };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  } finally {
    outbound.onApplicationShutdown();
  }
}
