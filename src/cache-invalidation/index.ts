export { CacheInvalidation, CacheInvalidationModule } from './cache-invalidation.js';
export type { Change } from './cache-invalidation.js';
export { ANY_CHANGE, InvalidatedCache, whenResolved } from './invalidated-cache.js';
export type { MaybePromise } from './invalidated-cache.js';
