import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { ProgramLog } from './program-log.js';

@Module({})
export class LoggingModule {
  static register(log: ProgramLog): DynamicModule {
    return {
      module: LoggingModule,
      global: true,
      providers: [{ provide: ProgramLog, useValue: log }],
      exports: [ProgramLog],
    };
  }
}
