import { Injectable } from '@nestjs/common';

/** The process's idea of now, for tokens and lifetimes. Whatever instances must agree on uses the database's. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
