import { Module } from '@nestjs/common';
import { SecretUses } from './secret-uses.js';
import { SecretRepository } from './secret.repository.js';
import { VaultController } from './vault.controller.js';
import { Vault } from './vault.js';

@Module({
  controllers: [VaultController],
  providers: [Vault, SecretRepository, SecretUses],
  exports: [Vault, SecretUses],
})
export class VaultModule {}
