export { actorOf } from './actor.js';
export type { Actor, AuditEvent, Target } from './audit-entry.js';
export { AuditModule } from './audit.module.js';
export { AuditTrail } from './audit-trail.js';
