import type { Config } from '../config/index.js';
import type { OutboundRequest } from '../outbound/index.js';

/** Where spans go. */
export type Collector = Pick<Config['telemetry'], 'otlpHeaders'> & { readonly otlpUrl: string };

/** A request by OTLP over HTTP (https://opentelemetry.io/docs/specs/otlp/#otlphttp-request); without bytes, of no spans. */
export function collectorRequest(
  { otlpUrl, otlpHeaders }: Collector,
  bytes: Buffer,
): Pick<OutboundRequest, 'url' | 'headers'> & { readonly body: Buffer } {
  return {
    // The path that the standard appends, unless the setting has it already.
    url: otlpUrl.endsWith('/v1/traces') ? otlpUrl : `${otlpUrl}/v1/traces`,
    headers: { 'user-agent': 'service', ...otlpHeaders, 'content-type': 'application/x-protobuf' },
    body: bytes,
  };
}
