export { CryptoModule } from './crypto.module.js';
export { KeyRing, UnsealError } from './key-ring.js';
export type { DerivedKey, SealFormats } from './key-ring.js';
export { FORMATS } from './sealed-place.js';
export type { SealedPlace, SealFormat } from './sealed-place.js';
export { sha256, secretsEqual } from './digest.js';
export { firstIdAt, isUuid, UUID_PATTERN, newId } from './identifiers.js';
export { randomToken } from './random-token.js';
