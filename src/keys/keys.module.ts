import { Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { IdentityCoreModule, SigningKeysModule } from '../identity/index.js';
import { OrgsModule } from '../orgs/index.js';
import { RbacModule } from '../rbac/index.js';
import { BackgroundServices } from '../platform/lifecycle/index.js';
import { ApiKeyUsage } from './api-keys/api-key-usage.js';
import { ApiKeyVerifier } from './api-keys/api-key-verifier.js';
import { ApiKeyRepository } from './api-keys/api-key.repository.js';
import { ApiKeys } from './api-keys/api-keys.js';
import { ApiKeysController } from './api-keys/api-keys.controller.js';
import { OperatorApiKeysController } from './api-keys/operator-api-keys.controller.js';
import { OperatorApiKeys } from './api-keys/operator-api-keys.js';
import { RoleHoldersController } from './role-holders/role-holders.controller.js';
import { RoleHolders } from './role-holders/role-holders.js';
import { JwksController } from './signing-keys/jwks.controller.js';
import { SigningKeyOperatorController } from './signing-keys/signing-key-operator.controller.js';

@Module({
  imports: [IdentityCoreModule, SigningKeysModule, OrgsModule, RbacModule],
  controllers: [
    JwksController,
    SigningKeyOperatorController,
    ApiKeysController,
    OperatorApiKeysController,
    RoleHoldersController,
  ],
  providers: [ApiKeys, ApiKeyRepository, ApiKeyVerifier, ApiKeyUsage, OperatorApiKeys, RoleHolders],
  exports: [ApiKeyVerifier],
})
export class KeysModule implements OnModuleInit {
  constructor(
    private readonly backgroundServices: BackgroundServices,
    private readonly usage: ApiKeyUsage,
  ) {}

  onModuleInit(): void {
    this.backgroundServices.register(this.usage);
  }
}
