export { CallSigner } from './call-signer.js';
export { signingSecretAssociatedData } from './signing-secrets.js';
export { SigningModule } from './signing.module.js';
export {
  endpointKeys,
  SIGNATURE_VERSION,
  standardContent,
  standardHeaders,
  standardKeys,
} from './standard-webhook.js';
