import { Global, Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONFIG } from '../config/index.js';
import type { Config } from '../config/index.js';
import { BackgroundServices } from '../lifecycle/index.js';
import { Database } from './database.js';
import { dataSourceOptions } from './data-source-options.js';
import { PrimaryWatch } from './primary/primary-watch.js';
import { ProcessLocks } from './process-locks.js';

@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [CONFIG],
      useFactory: (config: Config) => {
        const { url, schema, poolSize } = config.database;
        if (url === null) throw new Error('database.url was not resolved before startup');
        return {
          ...dataSourceOptions({ url, schema, poolSize }, []),
          autoLoadEntities: true,
          retryAttempts: 0,
        };
      },
    }),
  ],
  providers: [Database, PrimaryWatch, ProcessLocks],
  exports: [Database, ProcessLocks],
})
export class DatabaseModule implements OnModuleInit {
  constructor(
    private readonly services: BackgroundServices,
    private readonly watch: PrimaryWatch,
  ) {}

  onModuleInit(): void {
    if (this.watch.isNeeded) this.services.register(this.watch);
  }
}
