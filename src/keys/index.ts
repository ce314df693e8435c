export { isMeantAsApiKey } from './api-key-format.js';
export { ApiKeyVerifier } from './api-key-verifier.js';
export { KeysModule } from './keys.module.js';
export { toRotatedDto, toSigningKeyDto } from './signing-key.dto.js';
