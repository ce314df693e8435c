export { CacheInvalidation, CacheInvalidationModule } from './cache-invalidation.js';
export type { Change } from './cache-invalidation.js';
export { ANY_CHANGE, InvalidatedCache, whenFound } from './invalidated-cache.js';
export type { Found } from './invalidated-cache.js';
