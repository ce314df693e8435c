import { Inject, Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { BackgroundServices } from '../../platform/lifecycle/index.js';
import { SecretUses, VaultModule } from '../../vault/index.js';
import { JobsModule } from '../jobs.module.js';
import { TriggerKinds } from '../triggers/index.js';
import { DeliveryPruning } from './delivery-pruning.js';
import { DeliveryRepository } from './delivery.repository.js';
import { HookRepository } from './hook.repository.js';
import { HookVerifier } from './hooks.js';
import { HooksController } from './hooks.controller.js';
import { Hooks } from './hooks.js';
import { JobWebhooksController } from './job-webhooks.controller.js';
import { WebhookTriggers } from './webhook-triggers.js';

@Module({
  imports: [JobsModule, VaultModule],
  controllers: [HooksController, JobWebhooksController],
  providers: [DeliveryPruning, DeliveryRepository, HookRepository, HookVerifier, Hooks, WebhookTriggers],
})
export class HooksModule implements OnModuleInit {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly kinds: TriggerKinds,
    private readonly triggers: WebhookTriggers,
    private readonly hooks: HookRepository,
    private readonly uses: SecretUses,
    private readonly backgroundServices: BackgroundServices,
    private readonly pruning: DeliveryPruning,
  ) {}

  onModuleInit(): void {
    this.kinds.register(this.triggers);
    this.uses.register((tx, tenantId, path) => this.hooks.nameSecret(tx, tenantId, path));
    if (this.config.roles.has('scheduler')) this.backgroundServices.register(this.pruning);
  }
}
