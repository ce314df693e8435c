import { Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { IdentityCoreModule, SigningKeysModule } from '../identity/index.js';
import { OrgsModule } from '../orgs/index.js';
import { DutyRoster } from '../platform/lifecycle/index.js';
import { ApiKeyUsage } from './api-key-usage.js';
import { ApiKeyVerifier } from './api-key-verifier.js';
import { ApiKeyRepository } from './api-key.repository.js';
import { ApiKeys } from './api-keys.js';
import { ApiKeysController } from './api-keys.controller.js';
import { KeySetController } from './key-set.controller.js';
import { SigningKeyOperatorController } from './signing-key-operator.controller.js';

@Module({
  imports: [IdentityCoreModule, SigningKeysModule, OrgsModule],
  controllers: [KeySetController, SigningKeyOperatorController, ApiKeysController],
  providers: [ApiKeys, ApiKeyRepository, ApiKeyVerifier, ApiKeyUsage],
  exports: [ApiKeyVerifier],
})
export class KeysModule implements OnModuleInit {
  constructor(
    private readonly roster: DutyRoster,
    private readonly usage: ApiKeyUsage,
  ) {}

  onModuleInit(): void {
    this.roster.enrol(this.usage);
  }
}
