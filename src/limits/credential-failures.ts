import { Injectable } from '@nestjs/common';
import { isLoopback, rateKeyOf } from '../http/index.js';
import type { Origin } from '../http/index.js';
import { rateLimited } from './rate.js';
import { RateReport } from './rate-report.js';
import { Rates } from './rates.js';

/**
 * Limits guesses at credentials that name no account: one-time tokens, API keys, the operator's token. Failures are
 * counted by client address. A valid credential is never refused: it has hundreds of bits, and the failures may come
 * from others behind the same address.
 */
@Injectable()
export class CredentialFailures {
  constructor(
    private readonly rates: Rates,
    private readonly report: RateReport,
  ) {}

  /** Call before recording a failure. @throws rate_limited after too many failures */
  async count(origin: Origin): Promise<void> {
    const rate = this.rates.credentialFailures;
    if (!rate.isOn || isLoopback(origin.ip)) return;
    const state = await rate.take(`address:${rateKeyOf(origin.ip)}`);
    this.report.add(origin, state);
    if (state.isOver) throw rateLimited(state);
  }
}
