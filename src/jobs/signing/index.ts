export { CallSigner } from './call-signer.js';
export { signingSecretAssociatedData } from './signing-secrets.js';
export { SigningModule } from './signing.module.js';
export { SIGNATURE_VERSION, standardContent, standardKeys } from './standard-webhook.js';
