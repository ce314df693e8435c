export { headerOf } from './signature-scheme.js';
export type {
  SignatureAlgorithm,
  SignatureFormat,
  SignatureRule,
  SignedRequest,
} from './signature-scheme.js';
export { siblingHeader } from './schemes.js';
export { isSigned } from './verify-signature.js';
