export { CryptoModule } from './crypto.module.js';
export { KeyRing, UnsealError } from './key-ring.js';
export { sha256, secretsEqual } from './digest.js';
export { firstRunIdAt, isUuid, newId, newRunId } from './identifiers.js';
export { randomToken } from './random-token.js';
