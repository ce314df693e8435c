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
  SignInSettings,
} from './resources/project/project-shapes.js';
export { createCodeProof, takeCode } from './redirects.js';
export type { CodeExchange, CodeProof, CodeWindow, RedirectOptions, ReturnOptions } from './redirects.js';
export type {
  Brand,
  BrandChange,
  MailLanguage,
  MailPreview,
  MailTemplates,
  Template,
  TemplateListing,
} from './resources/mail-templates.js';
export { jsonTextOf } from './http/answer.js';
export { OAuthNotSupportedError, ServiceError } from './service-error.js';
export type {
  ClientErrorCode,
  KnownErrorCode,
  Problem,
  ServiceErrorCode,
  ServiceErrorFields,
  SignInChallenge,
  SignInEnrolment,
} from './service-error.js';
export type { PasskeyCredential } from './passkeys.js';
export { MemoryStorage } from './session/session-storage.js';
export type { SessionStorage } from './session/session-storage.js';
export type { Session, SessionUser } from './session/session.js';
export type { SessionEvent, SessionListener } from './session/session-keeper.js';
export type { CallOptions } from './http/call.js';
export type { List, Page } from './http/list.js';
export type { FollowedLine } from './logs/follow.js';
export type { EnrolledSignIn } from './resources/project/project-enrolment.js';
export type { SignedIn } from './resources/sign-in.js';
export type { ImportedUser, ImportOptions, ImportProgress, ImportSource } from './resources/user-import.js';
export type { SignInStatsFilter } from './resources/admin-deployment.js';
export type { AttemptFailure, AttemptName, HandlerLine } from './resources/attempts.js';
export type { FollowOptions, LogFilter } from './resources/logs.js';
export { changeText, definitionOf, jobChanges } from './resources/job-changes.js';
export type { FieldChange } from './resources/job-changes.js';
export type {
  BatchItem,
  CalendarOptions,
  RegisterOptions,
  TriggerOptions,
  TypedJobs,
} from './resources/jobs.js';
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
  AddressChange,
  CurrentUser,
  Health,
  Heartbeat,
  HookAccepted,
  Instance,
  Operator,
  Mail,
  ImportProblem,
  ImportReport,
  Invitation,
  Job,
  JobChange,
  JobDefinition,
  JobWebhook,
  Jwks,
  LogLevel,
  LogLine,
  Manifest,
  Member,
  MemberAccess,
  NextInstants,
  Organization,
  UserApiKey,
  UserOrganization,
  ManagedSession,
  OperatorUser,
  OperatorOrganization,
  OwnSession,
  ConfirmedFactor,
  AddedPasskey,
  Factor,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  TotpEnrolment,
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
  Setting,
  SignInStatsPoint,
  SigningKey,
  SigningSecret,
  Step,
  StepSummary,
  TenantQueue,
  User,
} from './shapes.js';
