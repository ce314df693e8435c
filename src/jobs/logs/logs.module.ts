import { Inject, Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { BackgroundServices } from '../../platform/lifecycle/index.js';
import { LogFollowers } from './log-followers.js';
import { LogWriter } from './log-writer.js';
import { LogRepository } from './log.repository.js';
import { LogsController } from './logs.controller.js';
import { Logs } from './logs.js';

@Module({
  controllers: [LogsController],
  providers: [LogFollowers, LogRepository, LogWriter, Logs],
  exports: [LogRepository, LogWriter],
})
export class RunLogsModule implements OnModuleInit {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly backgroundServices: BackgroundServices,
    private readonly followers: LogFollowers,
  ) {}

  onModuleInit(): void {
    if (this.config.roles.has('api')) this.backgroundServices.register(this.followers);
  }
}
