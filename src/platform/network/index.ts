export { ForeignHostError, ForeignHosts } from './foreign-hosts.js';
export { networkKindOf } from './network-kind.js';
