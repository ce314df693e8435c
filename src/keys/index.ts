export { isMeantAsApiKey } from './api-keys/api-key-format.js';
export { ApiKeyVerifier } from './api-keys/api-key-verifier.js';
export { KeysModule } from './keys.module.js';
export { toRotatedDto, toSigningKeyDto } from './signing-keys/signing-key.dto.js';
