import { build } from 'esbuild';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ClientProject } from './client-package.js';

/** The entry of a page whose scripts are the client alone, as `window.client`. */
const ENTRY = `import * as client from '@service/client'; globalThis.client = client;`;

/** Serves one empty page with the bundled client, from an origin of its own. */
export class PageServer {
  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(project: ClientProject): Promise<PageServer> {
    const entry = await project.write('page.js', ENTRY);
    const { outputFiles } = await build({
      entryPoints: [entry],
      bundle: true,
      minify: true,
      platform: 'browser',
      format: 'iife',
      write: false,
    });
    const script = outputFiles[0]?.text ?? '';
    const server = createServer((request, response) => {
      const isScript = request.url === '/page.js';
      // Such a page has no origin of its own, and so may keep nothing.
      if (request.url === '/sandboxed')
        response.setHeader('content-security-policy', 'sandbox allow-scripts');
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
      response.end(isScript ? script : '<!doctype html><title>Page</title><script src="/page.js"></script>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return new PageServer(server, `http://127.0.0.1:${port}`);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
