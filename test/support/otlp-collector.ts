import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface Message {
  readonly [field: string]: unknown;
}

interface KeyValue {
  readonly key: string;
  readonly value: Message;
}

interface Decoded {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly { readonly spans: readonly Message[] }[];
  }[];
}

interface MessageType {
  decode(bytes: Uint8Array): object;
  encode(message: object): { finish(): Uint8Array };
  toObject(message: object, options: { longs: unknown; defaults: boolean; arrays: boolean }): Decoded;
}

/** The protocol's messages, from OpenTelemetry's own package, which is generated from the definitions. */
const require = createRequire(import.meta.url);
const { opentelemetry } = require('@opentelemetry/otlp-transformer/build/src/generated/root.js') as {
  opentelemetry: {
    proto: {
      collector: {
        trace: { v1: Record<'ExportTraceServiceRequest' | 'ExportTraceServiceResponse', MessageType> };
      };
    };
  };
};
const { ExportTraceServiceRequest, ExportTraceServiceResponse } = opentelemetry.proto.collector.trace.v1;

/** A span, as the collector decodes it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: number;
  /** Nanoseconds. */
  readonly startedAt: bigint;
  readonly endedAt: bigint;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly hasFailed: boolean;
  readonly resource: Readonly<Record<string, unknown>>;
}

/** How to answer a request; null for never. */
export type CollectorAnswer = { readonly status: number; readonly rejected?: number } | null;

/** A collector for OTLP over HTTP. It decodes spans with OpenTelemetry's own decoder, and keeps them. */
export class OtlpCollector {
  readonly spans: ReceivedSpan[] = [];
  readonly requests: {
    readonly url: string;
    readonly headers: IncomingHttpHeaders;
    readonly bytes: number;
  }[] = [];
  /** The contents of all requests, to search for what should not be there. */
  text = '';
  answer: CollectorAnswer = { status: 200 };

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.take(request, response));
  }

  static async start(port = 0): Promise<OtlpCollector> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return new OtlpCollector(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request).catch(() => null);
    if (body === null) return;
    this.requests.push({ url: request.url ?? '', headers: request.headers, bytes: body.length });
    if (this.answer === null) return;
    const { status, rejected } = this.answer;
    if (status === 200) this.keep(body);
    const partial = rejected === undefined ? {} : { partialSuccess: { rejectedSpans: rejected } };
    response.writeHead(status, { 'content-type': 'application/x-protobuf' });
    response.end(ExportTraceServiceResponse.encode(partial).finish());
  }

  private keep(body: Buffer): void {
    this.text += body.toString('latin1');
    const options = { longs: String, defaults: false, arrays: true };
    const decoded = ExportTraceServiceRequest.toObject(ExportTraceServiceRequest.decode(body), options);
    for (const { resource, scopeSpans } of decoded.resourceSpans)
      for (const { spans } of scopeSpans)
        for (const span of spans) this.spans.push(received(span, attributesOf(resource.attributes)));
  }
}

function received(span: Message, resource: Readonly<Record<string, unknown>>): ReceivedSpan {
  const parentSpanId = hex(span.parentSpanId);
  return {
    traceId: hex(span.traceId),
    spanId: hex(span.spanId),
    parentSpanId: parentSpanId === '' ? null : parentSpanId,
    name: String(span.name),
    kind: Number(span.kind),
    startedAt: BigInt(String(span.startTimeUnixNano)),
    endedAt: BigInt(String(span.endTimeUnixNano)),
    attributes: attributesOf(span.attributes as readonly KeyValue[]),
    hasFailed: (span.status as { code?: number } | null)?.code === 2,
    resource,
  };
}

function attributesOf(list: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(
    list.map(({ key, value }) => {
      const set = Object.entries(value).filter(([kind]) => kind.endsWith('Value'));
      const [kind, held] = set[0] ?? [];
      return [key, kind === 'intValue' ? Number(held) : held];
    }),
  );
}

function hex(bytes: unknown): string {
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString('hex') : '';
}
