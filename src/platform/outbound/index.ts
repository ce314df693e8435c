export { parseHttpDate } from './http-date.js';
export { OutboundTimeoutError } from './http-exchange.js';
export type { HttpPost as OutboundRequest } from './http-exchange.js';
export {
  ForeignClient,
  HttpClient,
  OutboundClient,
  OutboundFailedError,
  OutboundModule,
} from './outbound-client.js';
export type { OutboundAnswer } from './outbound-client.js';
