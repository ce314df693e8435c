import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONFIG } from '../config/index.js';
import type { Config } from '../config/index.js';
import { Database } from './database.js';
import { dataSourceOptions } from './data-source-options.js';
import { ProcessLocks } from './process-locks.js';

@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [CONFIG],
      useFactory: (config: Config) => {
        if (config.database.url === null) throw new Error('database.url was not resolved before startup');
        return {
          ...dataSourceOptions({ url: config.database.url, poolSize: config.database.poolSize }, []),
          autoLoadEntities: true,
          retryAttempts: 0,
        };
      },
    }),
  ],
  providers: [Database, ProcessLocks],
  exports: [Database, ProcessLocks],
})
export class DatabaseModule {}
