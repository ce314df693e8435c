export { OutboundClient, OutboundFailedError, OutboundTimeoutError } from './outbound-client.js';
export type { OutboundAnswer, OutboundRequest } from './outbound-client.js';
export { OutboundModule } from './outbound.module.js';
