export { isMeantAsApiKey } from './api-key-format.js';
export { ApiKeyVerifier } from './api-key-verifier.js';
export { KeysModule } from './keys.module.js';
