export {
  accountEvent,
  actorOf,
  ANONYMOUS,
  callerKey,
  OPERATOR,
  tenantChain,
  SYSTEM,
  userChain,
} from './audit-entry.js';
export type { Actor, AuditEvent, AuditContext, Target } from './audit-entry.js';
export { AuditEntryRepository } from './audit-entry.repository.js';
export type { AuditEntry } from './audit-entry.repository.js';
export { AuditModule } from './audit.module.js';
export { AuditTrail } from './audit-trail.js';
export { AuthMetrics } from './auth-metrics.js';
export { anchoredHeads, AuditAnchors } from './chains/audit-anchors.js';
export type { AnchorState } from './chains/audit-anchors.js';
export { AuditVerifier } from './chains/audit-verifier.js';
export type { BrokenChain, ChainProblem } from './chains/chain-check.js';
export { ChainRekey } from './chains/chain-rekey.js';
export { checkpointAssociatedData } from './chains/checkpoint.js';
export { AuditEntryDto, toAuditEntryDto, toNamedAuditEntryDto } from './dto/audit-entry.js';
export { OrganizationAuditModule, ProjectAuditModule } from './audit.module.js';
export { AuditNames } from './reading/audit-names.js';
export { RefusalCounter } from './refusals/refusal-counter.js';
