export { isSecretPath, MAX_SECRET_PATH } from './secret-path.js';
export { SecretUses } from './secret-uses.js';
export { secretPlace, Vault } from './vault.js';
export { VaultModule } from './vault.module.js';
