export { ChangeFeed } from './change-feed.js';
export type { Change } from './change-feed.js';
export { EventsModule } from './events.module.js';
