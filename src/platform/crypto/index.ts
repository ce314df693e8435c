export { CryptoModule, KeyRing, UnsealError, FORMATS } from './key-ring.js';
export type { DerivedKey, SealFormats, SealedPlace, SealFormat } from './key-ring.js';
export { sha256, secretsEqual, randomToken } from './random-token.js';
export { isCurrentToken, VerifiedTokens } from './verified-tokens.js';
export type { TokenTimes } from './verified-tokens.js';
export { firstIdAt, isUuid, UUID_PATTERN, newId } from './identifiers.js';
