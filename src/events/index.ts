export { CacheInvalidation } from './cache-invalidation.js';
export type { Change } from './cache-invalidation.js';
export { EventsModule } from './events.module.js';
export { ANY_CHANGE, InvalidatedCache } from './invalidated-cache.js';
