import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Echo {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** An application that tells what it was asked. */
export interface Application {
  readonly port: number;
  readonly received: Echo[];
  stop: () => void;
}

export async function startApplication(): Promise<Application> {
  const received: Echo[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      received.push({ method, url, headers, body });
      response.setHeader('content-type', 'application/json').end(JSON.stringify(received.at(-1)));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
