import { Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { IdentityCoreModule } from '../../identity/index.js';
import { TenantDeletion } from '../../tenancy/index.js';
import { CallSigner } from './call-signer.js';
import { SigningSecretController } from './signing-secret.controller.js';
import { SigningSecretRepository } from './signing-secret.repository.js';
import { SigningSecrets } from './signing-secrets.js';

@Module({
  imports: [IdentityCoreModule],
  controllers: [SigningSecretController],
  providers: [CallSigner, SigningSecretRepository, SigningSecrets],
  exports: [CallSigner],
})
export class SigningModule implements OnModuleInit {
  constructor(
    private readonly deletion: TenantDeletion,
    private readonly secrets: SigningSecrets,
  ) {}

  onModuleInit(): void {
    this.deletion.follow((tx, tenantId) => this.secrets.removeAll(tx, tenantId));
  }
}
