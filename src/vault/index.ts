export { MAX_REFERENCE, NO_REFERENCE, referenceTo, secretPathIn } from './dto/secret.js';
export { SecretUses } from './vault.js';
export { secretAssociatedData, Vault } from './vault.js';
export { VaultModule } from './vault.module.js';
