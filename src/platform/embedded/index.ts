export { EmbeddedError } from './processes/embedded-error.js';
export { startEmbedded } from './embedded-servers.js';
export type { EmbeddedOptions, EmbeddedServers } from './embedded-servers.js';
export { ensureGeneratedSecrets } from './generated-secrets.js';
export type { GeneratedSecrets } from './generated-secrets.js';
export type { LogLine } from './processes/embedded-error.js';
export { hasEmbeddedPostgres, runningPostgresUrl } from './running-postgres.js';
