import { createServer, request as call } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands before the program and counts what it is asked. */
export class CountingProxy {
  private asked: string[] = [];

  private constructor(private readonly server: Server) {}

  static async before(target: string): Promise<CountingProxy> {
    const server = createServer();
    const proxy = new CountingProxy(server);
    server.on('request', (request, response) => {
      const path = request.url ?? '/';
      proxy.asked.push(`${request.method ?? ''} ${path}`);
      const onward = call(
        new URL(path, target),
        { method: request.method, headers: request.headers },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        },
      );
      onward.on('error', () => response.destroy());
      request.pipe(onward);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** What was asked since the last call of this. */
  take(): string[] {
    return this.asked.splice(0);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
