import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ErrorFilter } from './routes/error-filter.js';
import { MethodsByPath } from './errors/methods-by-path.js';
import { PublicUrl } from './server/public-url.js';
import { RequestLog } from './server/request-log.js';

@Module({})
export class HttpModule {
  /** @param methodsByPath the instance that records the server's routes */
  static register(methodsByPath: MethodsByPath): DynamicModule {
    return {
      module: HttpModule,
      global: true,
      providers: [
        { provide: MethodsByPath, useValue: methodsByPath },
        { provide: APP_FILTER, useClass: ErrorFilter },
        PublicUrl,
        RequestLog,
      ],
      exports: [PublicUrl],
    };
  }
}
