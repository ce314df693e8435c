export type { Isolation } from './confinement/function-confinement.js';
export { FunctionHost } from './function-host.js';
export type { FunctionEndpoint, FunctionHostOptions } from './function-host.js';
export {
  FunctionHostStoppedError,
  FunctionLoadError,
  FunctionNotFoundError,
} from './process/function-errors.js';
export type { FunctionLogLine } from './process/function-process.js';
export { cutLine, storableText } from './runner/line-budget.js';
export type { LineLevel } from './runner/runner-protocol.js';
