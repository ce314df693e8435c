export { CredentialFailures } from './credential-failures.js';
export { LimitsModule } from './limits.module.js';
export { rateLimited } from './rate-limited.js';
export type { Rate, Standing } from './rate.js';
export { RateReport } from './rate-report.js';
export { Rates } from './rates.js';
export { RedisCounts } from './redis-counts.js';
export { UNCOUNTED, Uncounted } from './uncounted.js';
