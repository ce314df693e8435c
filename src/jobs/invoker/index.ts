export { storableText } from './function-host/index.js';
export type { Answer } from './handler-response.js';
export { Handlers } from './handlers.js';
export { Invoker } from './invoker.js';
export type { HandlerCall } from './invoker.js';
