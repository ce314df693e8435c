import { Inject, Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { BackgroundServices } from '../../platform/lifecycle/index.js';
import { SecretUses, VaultModule } from '../../vault/index.js';
import { JobsModule } from '../jobs.module.js';
import { EndpointRepository } from './endpoint.repository.js';
import { FailingEndpoints } from './failing-endpoints.js';

@Module({
  imports: [JobsModule, VaultModule],
  providers: [EndpointRepository, FailingEndpoints],
})
export class EndpointsModule implements OnModuleInit {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly endpoints: EndpointRepository,
    private readonly uses: SecretUses,
    private readonly backgroundServices: BackgroundServices,
    private readonly failing: FailingEndpoints,
  ) {}

  onModuleInit(): void {
    this.uses.register((tx, tenantId, path) => this.endpoints.nameSecret(tx, tenantId, path));
    if (this.config.roles.has('scheduler')) this.backgroundServices.register(this.failing);
  }
}
