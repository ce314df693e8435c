export {
  OutboundClient,
  OutboundFailedError,
  OutboundTimeoutError,
  OutboundModule,
} from './outbound-client.js';
export type { OutboundAnswer, OutboundRequest } from './outbound-client.js';
