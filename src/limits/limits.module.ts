import { Global, Module } from '@nestjs/common';
import { CredentialFailures } from './credential-failures.js';
import { RateReport } from './rate-report.js';
import { Rates } from './rates.js';
import { RedisCounts } from './rate.js';
import { Searches } from './searches.js';

/** Rate limits for what any caller may request. */
@Global()
@Module({
  providers: [CredentialFailures, RateReport, Rates, RedisCounts, Searches],
  exports: [CredentialFailures, RateReport, Rates, RedisCounts, Searches],
})
export class LimitsModule {}
