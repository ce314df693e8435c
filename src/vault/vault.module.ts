import { Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { TenantDeletion } from '../tenancy/index.js';
import { SecretUses } from './vault.js';
import { SecretRepository } from './secret.repository.js';
import { VaultController } from './vault.controller.js';
import { Vault } from './vault.js';

@Module({
  controllers: [VaultController],
  providers: [Vault, SecretRepository, SecretUses],
  exports: [Vault, SecretUses],
})
export class VaultModule implements OnModuleInit {
  constructor(
    private readonly deletion: TenantDeletion,
    private readonly vault: Vault,
  ) {}

  onModuleInit(): void {
    this.deletion.follow((tx, tenantId) => this.vault.removeAll(tx, tenantId));
  }
}
