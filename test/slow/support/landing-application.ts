import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An application on loopback to which the pages of mails may lead. */
export interface LandingApplication {
  readonly origin: string;
  /** The paths and queries that were asked for, and the `Referer` of each. */
  readonly visits: readonly { readonly url: URL; readonly referer: string | undefined }[];
  stop(): Promise<void>;
}

export async function startLandingApplication(): Promise<LandingApplication> {
  const visits: { url: URL; referer: string | undefined }[] = [];
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/favicon') !== true)
      visits.push({
        url: new URL(request.url ?? '/', 'http://app.invalid'),
        referer: request.headers.referer,
      });
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><html lang="en"><title>Application</title><h1>Back in the application</h1>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    visits,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
