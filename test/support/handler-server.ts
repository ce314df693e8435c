import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

/** One call that reached a handler. */
export interface HandlerCall {
  readonly handler: string;
  readonly runId: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** When it arrived, in milliseconds since the epoch. */
  readonly at: number;
}

/** Answers a call. `nth` is the number of the call among those of the same run, from 1. */
export type Behaviour = (response: ServerResponse, nth: number, call: HandlerCall) => void;

/** A tenant's handlers: an HTTP server that remembers each call. */
export class HandlerServer {
  readonly calls: HandlerCall[] = [];
  private readonly behaviours = new Map<string, Behaviour>();
  private readonly open = new Map<string, number>();
  private readonly most = new Map<string, number>();

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.take(request, response));
  }

  static async start(): Promise<HandlerServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new HandlerServer(server);
  }

  /** The URL template for this server. */
  get variables(): Record<string, string> {
    return { SERVICE_FUNCTIONS__URL: this.urlOf('{handler}') };
  }

  urlOf(handler: string): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/${handler}`;
  }

  on(handler: string, behaviour: Behaviour): void {
    this.behaviours.set(handler, behaviour);
  }

  callsOf(runId: string): HandlerCall[] {
    return this.calls.filter((call) => call.runId === runId);
  }

  runIdsOf(handler: string): string[] {
    return this.calls.filter((call) => call.handler === handler).map((call) => call.runId);
  }

  /** The maximum number of calls to this handler that were unanswered at the same time. */
  mostAtOnce(handler: string): number {
    return this.most.get(handler) ?? 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const handler = (request.url ?? '/').slice(1);
    const at = Date.now();
    const atOnce = (this.open.get(handler) ?? 0) + 1;
    this.open.set(handler, atOnce);
    this.most.set(handler, Math.max(this.mostAtOnce(handler), atOnce));
    response.on('close', () => this.open.set(handler, (this.open.get(handler) ?? 1) - 1));
    const body = await text(request).catch(() => '');
    // An endpoint knows the run as the id of a webhook.
    const runId = String(request.headers['x-service-run-id'] ?? request.headers['webhook-id']);
    const call = { handler, runId, headers: request.headers, body, at };
    this.calls.push(call);
    const behaviour = this.behaviours.get(handler) ?? answer(200, { ok: true });
    behaviour(response, this.callsOf(runId).length, call);
  }
}

/** Answers with this status and this JSON body. */
export function answer(status: number, body?: unknown, headers: Record<string, string> = {}): Behaviour {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body === undefined ? '' : JSON.stringify(body));
  };
}

/** Never answers. */
export const silent: Behaviour = () => undefined;

/** Whether a call has a signature by this secret, as the library of Standard Webhooks sees it. */
export function isSignedWith(secret: string, { body, headers }: HandlerCall): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
