import { Injectable } from '@nestjs/common';
import { isLoopback, rateKeyOf } from '../http/index.js';
import { rateLimited } from './rate-limited.js';
import { RateReport } from './rate-report.js';
import { Rates } from './rates.js';

/**
 * Guesses at credentials that name no account: one-time tokens, API keys, the operator's token. They are counted
 * by client address once they have failed. A good one is never refused: it is worth hundreds of bits, and others behind
 * the same address may have failed.
 */
@Injectable()
export class CredentialFailures {
  constructor(
    private readonly rates: Rates,
    private readonly report: RateReport,
  ) {}

  /** To be called before a failure is recorded. @throws rate_limited when there were too many */
  async count(address: string): Promise<void> {
    const rate = this.rates.credentialFailures;
    if (!rate.isOn || isLoopback(address)) return;
    const standing = await rate.take(`address:${rateKeyOf(address)}`);
    this.report.add(standing);
    if (standing.isOver) throw rateLimited(standing);
  }
}
