import { Global, Module } from '@nestjs/common';
import type { DynamicModule, OnModuleInit } from '@nestjs/common';
import { KeyRing } from '../platform/crypto/index.js';
import { Database } from '../platform/database/index.js';
import { BackgroundServices } from '../platform/lifecycle/index.js';
import type { SealedColumn } from './seal-phase.repository.js';
import { SealPhaseWatch } from './seal-phase-watch.js';
import { SealPhases } from './seal-phases.js';

@Global()
@Module({})
export class SealingModule implements OnModuleInit {
  constructor(
    private readonly phases: SealPhases,
    private readonly watch: SealPhaseWatch,
    private readonly roster: BackgroundServices,
  ) {}

  static register(columns: readonly SealedColumn[]): DynamicModule {
    return {
      module: SealingModule,
      providers: [
        {
          provide: SealPhases,
          inject: [Database, KeyRing],
          useFactory: (database: Database, keyRing: KeyRing) => new SealPhases(database, keyRing, columns),
        },
        SealPhaseWatch,
      ],
      exports: [SealPhases],
    };
  }

  /** Before any background service seals or opens a value. */
  async onModuleInit(): Promise<void> {
    await this.phases.refresh();
    this.roster.register(this.watch);
  }
}
