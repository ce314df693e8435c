export {
  captureAll,
  captureGiven,
  happenedParameter,
  isListenedTo,
  WAITS_UNTIL_DUE,
} from './events/event-capture.js';
export type { HappenedEvent } from './events/event-capture.js';
export { EVENT_TYPES, JOB_EVENTS, RUN_EVENTS, subjectOf, TENANT_EVENTS } from './events/event-types.js';
export type { EventType, TenantEvent } from './events/event-types.js';
export { DEPLOYMENT_SCOPE, Tenancy } from './tenancy.js';
export { TenancyModule } from './tenancy.module.js';
export { TenantDeletion } from './tenancy.js';
export type { RightsHolder, TenantNames } from './tenancy.js';
