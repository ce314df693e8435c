import { Global, Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { DutyRoster } from '../platform/lifecycle/index.js';
import { ChangeFeed } from './change-feed.js';

@Global()
@Module({ providers: [ChangeFeed], exports: [ChangeFeed] })
export class EventsModule implements OnModuleInit {
  constructor(
    private readonly roster: DutyRoster,
    private readonly feed: ChangeFeed,
  ) {}

  onModuleInit(): void {
    this.roster.enrol(this.feed);
  }
}
