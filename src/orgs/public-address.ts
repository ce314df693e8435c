import type { Config } from '../platform/config/index.js';

/** Where the outside reaches this deployment, without a slash at the end: `public_url`, else the listening address. */
export function publicAddress({ identity, server }: Config): string {
  return identity.publicUrl ?? `http://${server.host}:${server.port}`;
}
