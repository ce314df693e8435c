export { CredentialFailures } from './credential-failures.js';
export { LimitsModule } from './limits.module.js';
export { rateLimited, RedisCounts } from './rate.js';
export type { Rate, RateState } from './rate.js';
export { RateReport } from './rate-report.js';
export { Rates, UNCOUNTED, Uncounted } from './rates.js';
export { requireQuota, limitReached } from './quota.js';
export type { Quota } from './quota.js';
