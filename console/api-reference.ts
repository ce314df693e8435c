import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';
import type { Plugin } from 'vite';

const PAGE = 'api-reference.html';

/** https://scalar.com/products/api-references/configuration: everything from this origin, and nothing sent elsewhere. */
const configuration = {
  url: '/openapi.json',
  pageTitle: 'API reference · Service',
  authentication: { preferredSecurityScheme: 'bearer' },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  defaultOpenFirstTag: true,
  hideClientButton: true,
  showDeveloperTools: 'never',
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
} as const;

/**
 * Adds the page of the API reference to the build: what Scalar's plugin serves, written into files, so that the program
 * sends them like those of the console, and holds none of their five megabytes.
 */
export function apiReference({ base, nonce }: { base: string; nonce: string }): Plugin {
  return {
    name: 'api-reference',
    apply: 'build',
    async generateBundle() {
      const script = this.emitFile({
        type: 'asset',
        name: 'api-reference.js',
        source: await served('/docs/js/scalar.js', configuration),
      });
      const cdn = `${base}${this.getFileName(script)}`;
      const source = await served('/docs/', { ...configuration, cdn, nonce });
      this.emitFile({ type: 'asset', fileName: PAGE, source });
    },
  };
}

async function served(path: string, settings: object): Promise<string> {
  const server = fastify();
  await server.register(scalar, { routePrefix: '/docs', configuration: settings });
  const { statusCode, body } = await server.inject(path);
  await server.close();
  if (statusCode !== 200) throw new Error(`the API reference has no ${path}: ${statusCode}`);
  return body;
}
