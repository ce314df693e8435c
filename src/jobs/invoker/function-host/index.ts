export type { Isolation } from './function-confinement.js';
export { FunctionHost } from './function-host.js';
export type { FunctionEndpoint, FunctionHostOptions } from './function-host.js';
export { FunctionHostStoppedError, FunctionLoadError, FunctionNotFoundError } from './function-errors.js';
export type { FunctionLogLine } from './function-process.js';
export type { LineLevel } from './runner-protocol.js';
