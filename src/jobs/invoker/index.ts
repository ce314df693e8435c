export type { Answer } from './answer.js';
export { Handlers } from './handlers.js';
export { Invoker } from './invoker.js';
export type { HandlerCall } from './invoker.js';
