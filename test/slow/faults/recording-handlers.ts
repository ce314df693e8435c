import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CallFact } from './history.js';

/** How a handler answers the nth call of a run: with this status, after so many milliseconds. */
export type Manner = (nth: number) => { readonly status: number; readonly afterMs: number };

/** A call that is not answered yet. */
export type CallInWork = Omit<CallFact, 'endedAt' | 'status'>;

/** Handlers of the load's jobs, which record each call with the process that made it. */
export class RecordingHandlers {
  private readonly ended: CallFact[] = [];
  private readonly open = new Map<ServerResponse, CallInWork>();
  private readonly callsOfRun = new Map<string, number>();

  private constructor(
    private readonly server: Server,
    private readonly manners: Readonly<Record<string, Manner>>,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      request.resume();
      this.take(request, response);
    });
  }

  static async start(manners: Readonly<Record<string, Manner>>): Promise<RecordingHandlers> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new RecordingHandlers(server, manners);
  }

  /** The URL template for one process, by which its calls are told from others'. */
  variablesFor(process: string): Record<string, string> {
    const { port } = this.server.address() as AddressInfo;
    return { SERVICE_FUNCTIONS__URL: `http://127.0.0.1:${port}/${process}/{handler}` };
  }

  get calls(): readonly CallFact[] {
    return this.ended;
  }

  /** The calls that the process is in now. */
  inCallOf(process: string): CallInWork[] {
    return [...this.open.values()].filter((call) => call.process === process);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    const [, process = '', handler = ''] = (request.url ?? '').split('/');
    const runId = String(request.headers['x-service-run-id']);
    const nth = (this.callsOfRun.get(runId) ?? 0) + 1;
    this.callsOfRun.set(runId, nth);
    const mark = randomUUID();
    this.open.set(response, {
      runId,
      attempt: Number(request.headers['x-service-attempt']),
      tenantId: String(request.headers['x-service-org']),
      process,
      startedAt: Date.now(),
      mark,
    });
    const { status, afterMs } = this.manners[handler]?.(nth) ?? { status: 404, afterMs: 0 };
    const timer = setTimeout(() => {
      // Before it is sent: what follows from the answer must not be recorded before it.
      this.end(response, status);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ mark }));
    }, afterMs);
    response.on('close', () => {
      clearTimeout(timer);
      this.end(response, null);
    });
  }

  private end(response: ServerResponse, status: number | null): void {
    const call = this.open.get(response);
    if (call === undefined) return;
    this.open.delete(response);
    this.ended.push({ ...call, endedAt: Date.now(), status });
  }
}
