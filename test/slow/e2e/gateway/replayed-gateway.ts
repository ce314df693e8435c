import { once } from 'node:events';
import { createServer, request as call } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Gateway } from './example.js';

/** Headers by their names in lower case. */
export type HeaderMap = Map<string, string[]>;

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: HeaderMap;
  readonly body: Buffer;
}

export interface Answered {
  readonly status: number;
  readonly headers: HeaderMap;
  readonly body: Buffer;
}

/** What no proxy passes on. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'te', 'transfer-encoding', 'upgrade', 'content-length'];

async function read(message: IncomingMessage): Promise<{ headers: HeaderMap; body: Buffer }> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const headers = new Map(
    Object.entries(message.headersDistinct).map(([name, values]) => [name, values ?? []]),
  );
  const named = (headers.get('connection') ?? []).flatMap((value) => value.toLowerCase().split(/\s*,\s*/));
  for (const name of [...HOP_BY_HOP, ...named]) headers.delete(name);
  return { headers, body: Buffer.concat(chunks) };
}

/** As Node.js wants them: a host in a list is refused. */
function toNode(headers: HeaderMap): Record<string, string | string[]> {
  return Object.fromEntries(
    [...headers].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  );
}

/** Passes a request on. */
export async function pass(url: string, { method, path, headers, body }: Asked): Promise<Answered> {
  const onward = call(new URL(path, url), { method, headers: toNode(headers) });
  onward.end(body);
  const [response] = (await once(onward, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 502, ...(await read(response)) };
}

export function refuse(status: number): Answered {
  return { status, headers: new Map(), body: Buffer.alloc(0) };
}

/** What is answered where nobody listens. */
export function refuseWhereAway(status: number): (error: unknown) => Answered {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error;
    return refuse(status);
  };
}

/**
 * Stands in for a server that no package of Debian has. It reads the example's own configuration, and does with its
 * values what that server does.
 */
export async function replay(port: number, answer: (asked: Asked) => Promise<Answered>): Promise<Gateway> {
  const respond = async (request: IncomingMessage): Promise<Answered> => {
    const { method = '', url: path = '' } = request;
    return await answer({ method, path, ...(await read(request)) });
  };
  const server = createServer((request, response) => {
    respond(request).then(
      ({ status, headers, body }) => response.writeHead(status, toNode(headers)).end(body),
      (error: unknown) => response.destroy(error as Error),
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${port}`,
    log: '',
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
