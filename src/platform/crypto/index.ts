export { CryptoModule, KeyRing, UnsealError } from './key-ring.js';
export type { DerivedKey, AssociatedData } from './key-ring.js';
export { sha256, secretsEqual, randomToken } from './random-token.js';
export { isCurrentToken, VerifiedTokens } from './verified-tokens.js';
export type { TokenTimes } from './verified-tokens.js';
export { firstIdAt, isUuid, UUID_PATTERN, newId } from './identifiers.js';
