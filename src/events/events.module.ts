import { Global, Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { BackgroundServices } from '../platform/lifecycle/index.js';
import { CacheInvalidation } from './cache-invalidation.js';

@Global()
@Module({ providers: [CacheInvalidation], exports: [CacheInvalidation] })
export class EventsModule implements OnModuleInit {
  constructor(
    private readonly services: BackgroundServices,
    private readonly invalidation: CacheInvalidation,
  ) {}

  onModuleInit(): void {
    this.services.register(this.invalidation);
  }
}
