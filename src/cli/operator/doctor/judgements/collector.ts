import type { CollectorAnswer } from '../facts/collector.js';
import { those, warning } from '../finding.js';
import type { Verdict } from '../finding.js';

/** Warnings alone: without its collector, a program lacks traces and nothing else. */
export function judgeCollector(otlpUrl: string, answer: CollectorAnswer): Verdict {
  const { host } = new URL(otlpUrl);
  const findings =
    'failure' in answer
      ? [
          warning(
            'collector_unreachable',
            `the collector at ${host} does not answer (${answer.failure})`,
            'Start it, or correct telemetry.otlp_url: the port for OTLP over HTTP is usually 4318',
          ),
        ]
      : those(
          (answer.status < 200 || answer.status > 299) &&
            warning(
              'collector_refuses',
              `the collector at ${host} answers ${answer.status} instead of taking spans`,
              'Correct telemetry.otlp_headers, or telemetry.otlp_url: it has no /v1/traces, and is not for gRPC',
            ),
        );
  return { findings, summary: `${host} takes spans` };
}
