export { FunctionHost } from './function-host.js';
export type { FunctionHostOptions } from './function-host.js';
export {
  FunctionHostStoppedError,
  FunctionLoadError,
  FunctionNotFoundError,
} from './process/function-errors.js';
export type { FunctionLogLine } from './process/function-process.js';
export { cutLine, storableText } from './runner/line-budget.js';
