export { cutLine, storableText } from './function-host/index.js';
export { MAX_RESULT_BYTES } from './handler-response.js';
export type { Answer } from './handler-response.js';
export { Handlers } from './handlers.js';
export { Invoker, UNPREPARED } from './invoker.js';
export { attemptOf, parentContextOf, runAttributes } from './run-trace.js';
export type { NamedRun, TracedRun } from './run-trace.js';
