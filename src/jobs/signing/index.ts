export { CallSigner } from './call-signer.js';
export { signingSecretPlace } from './signing-secrets.js';
export { SigningModule } from './signing.module.js';
export { SIGNATURE_VERSION, standardContent, standardKeys } from './standard-webhook.js';
