export { ConfigModule, CONFIG } from './config.js';
export type { Config, Role } from './config.js';
export { ConfigError } from './schema/outcome.js';
export type { Problem } from './schema/outcome.js';
export { renderExampleConfig } from './example-config.js';
export { ignoredVariables, threadPoolSize } from './sources/process-environment.js';
export { loadConfig } from './load-config.js';
export type { LoadOptions } from './load-config.js';
export { secretValues } from './sources/secret-values.js';
