export { createClient } from './create-client.js';
export type { ClientOptions } from './options.js';
export type { OrganizationClient, OrganizationClientOptions } from './organization-client.js';
export type { ProjectClient, ProjectClientOptions } from './project-client.js';
export type {
  Invited,
  MailSettings,
  ManagedUser,
  NewMailSettings,
  Project,
  ProjectUser,
  ProjectWithServiceKey,
  Template,
  TemplateName,
} from './resources/project/project-shapes.js';
export { OAuthNotSupportedError, ServiceError } from './service-error.js';
export type {
  ClientErrorCode,
  KnownErrorCode,
  Problem,
  ServiceErrorCode,
  ServiceErrorFields,
} from './service-error.js';
export { MemoryStorage } from './session/session-storage.js';
export type { SessionStorage } from './session/session-storage.js';
export type { Session, SessionUser } from './session/session.js';
export type { SessionEvent, SessionListener } from './session/session-keeper.js';
export type { CallOptions } from './http/call.js';
export type { List, Page } from './http/list.js';
export type { FollowedLine } from './logs/follow.js';
export type { SignedIn } from './resources/sign-in.js';
export type { FollowOptions, LogFilter } from './resources/logs.js';
export type { CalendarOptions, RegisterOptions, TriggerOptions, TypedJobs } from './resources/jobs.js';
export type { AnyJobs, JobType, RunId, RunWithResult, TriggeredRun } from './resources/job-types.js';
export type {
  BulkOptions,
  RunFilter,
  RunListOptions,
  RunStatsFilter,
  RunTriggerType,
} from './resources/runs.js';
export type {
  ApiKey,
  AuditEntry,
  AuditVerification,
  CalendarEntry,
  CreatedApiKey,
  CreatedInvitation,
  CurrentUser,
  Health,
  HookAccepted,
  Instance,
  Invitation,
  Job,
  JobChange,
  JobDefinition,
  Jwks,
  LogLevel,
  LogLine,
  Manifest,
  Member,
  MemberAccess,
  NextInstants,
  Organization,
  OwnSession,
  Permissions,
  Queue,
  Role,
  RoleHolders,
  BulkRuns,
  Run,
  RunOperation,
  RunDetails,
  RunStatsPoint,
  RunStatus,
  Secret,
  SigningKey,
  SigningSecret,
  TenantQueue,
  User,
} from './shapes.js';
