export { CacheInvalidation, EventsModule } from './cache-invalidation.js';
export type { Change } from './cache-invalidation.js';
export { ANY_CHANGE, InvalidatedCache } from './invalidated-cache.js';
