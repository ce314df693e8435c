import { Injectable } from '@nestjs/common';

/** The process's clock, for tokens and lifetimes. Anything that instances must agree on uses the database's clock. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
