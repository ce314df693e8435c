import { CreateAudit1763700000000 } from './1763700000000-create-audit.js';
import { CreateIdentity1763700001000 } from './1763700001000-create-identity.js';
import { CreateOrganizations1763700002000 } from './1763700002000-create-organizations.js';
import { CreateJobs1763700003000 } from './1763700003000-create-jobs.js';
import { ExtendIdentity1763800000000 } from './1763800000000-extend-identity.js';
import { ExtendOrganizations1763800001000 } from './1763800001000-extend-organizations.js';
import { ProtectAuditChains1763800002000 } from './1763800002000-protect-audit-chains.js';
import { ExtendJobs1763900000000 } from './1763900000000-extend-jobs.js';
import { CreateCronTriggers1763910000000 } from './1763910000000-create-cron-triggers.js';
import { CreateVaultSecrets1763920000000 } from './1763920000000-create-vault-secrets.js';
import { CreateSigningSecrets1763921000000 } from './1763921000000-create-signing-secrets.js';
import { CreateHooks1763922000000 } from './1763922000000-create-hooks.js';
import { ExtendRuns1763930000000 } from './1763930000000-extend-runs.js';
import { CreateJobRooms1763940000000 } from './1763940000000-create-job-rooms.js';
import { ExtendSigningKeys1763940001000 } from './1763940001000-extend-signing-keys.js';
import { CreateDataEvents1763950000000 } from './1763950000000-create-data-events.js';
import { CreateRunLogs1763951000000 } from './1763951000000-create-run-logs.js';
import { CreateProjects1763960000000 } from './1763960000000-create-projects.js';
import { OpenJobs1763960001000 } from './1763960001000-open-jobs.js';
import { ScopeHooks1763960002000 } from './1763960002000-scope-hooks.js';
import { ExtendProjects1764000000000 } from './1764000000000-extend-projects.js';
import { OrderLogsByNumber1764010000000 } from './1764010000000-order-logs-by-number.js';
import { CreateMailCounts1764110000000 } from './1764110000000-create-mail-counts.js';
import { CountInvitations1764120000000 } from './1764120000000-count-invitations.js';
import { ProveAddresses1764130000000 } from './1764130000000-prove-addresses.js';
import { ConfineDataCapture1764150000000 } from './1764150000000-confine-data-capture.js';
import { CreateCaptureFunctions1764150000400 } from './1764150000400-create-capture-functions.js';
import { RenderCapturedValues1764150000500 } from './1764150000500-render-captured-values.js';
import { CountWaitingRuns1764150001000 } from './1764150001000-count-waiting-runs.js';
import { SealAuditChains1764160000000 } from './1764160000000-seal-audit-chains.js';
import { ShareWorkers1764170000000 } from './1764170000000-share-workers.js';
import { NameMailRealms1764180000000 } from './1764180000000-name-mail-realms.js';
import { RenameToFieldTerms1764200000000 } from './1764200000000-rename-to-field-terms.js';
import { DropRunLogTriggers1764210000000 } from './1764210000000-drop-run-log-triggers.js';
import { AddRunTokenKeys1764220000000 } from './1764220000000-add-run-token-keys.js';
import { IndexWokenRuns1764230000000 } from './1764230000000-index-woken-runs.js';
import { CreateInstances1764240000000 } from './1764240000000-create-instances.js';
import { CreateRunStats1764240001000 } from './1764240001000-create-run-stats.js';
import { IndexRunSearch1764250000000 } from './1764250000000-index-run-search.js';
import { CreateRunOperations1764250001000 } from './1764250001000-create-run-operations.js';
import { CreateOperators1764260000000 } from './1764260000000-create-operators.js';
import { IndexUsers1764270000000 } from './1764270000000-index-users.js';
import { CreateMailHistory1764280000000 } from './1764280000000-create-mail-history.js';
import { CreateSignInStats1764290000000 } from './1764290000000-create-sign-in-stats.js';
import { CreateFactors1764300000000 } from './1764300000000-create-factors.js';
import { RequireSecondFactors1764350000000 } from './1764350000000-require-second-factors.js';
import { CreateAddressChanges1764360000000 } from './1764360000000-create-address-changes.js';
import { CreatePasskeys1764400000000 } from './1764400000000-create-passkeys.js';
import { CreateSignInPolicies1764400001000 } from './1764400001000-create-sign-in-policies.js';
import { NameImportedHashes1764410000000 } from './1764410000000-name-imported-hashes.js';
import { CreateSignInCodes1764420000000 } from './1764420000000-create-sign-in-codes.js';
import { AddUserLocale1764430000000 } from './1764430000000-add-user-locale.js';
import { CreateMailTemplates1764430001000 } from './1764430001000-create-mail-templates.js';
import { CreateProjectBrands1764430002000 } from './1764430002000-create-project-brands.js';
import { ExtendJobDefinitions1764460000000 } from './1764460000000-extend-job-definitions.js';
import { IndexChildRuns1764460001000 } from './1764460001000-index-child-runs.js';
import { KeepRedirectsOfMails1764470000000 } from './1764470000000-keep-redirects-of-mails.js';
import { AddRunPriorities1764480000000 } from './1764480000000-add-run-priorities.js';
import { IndexRunPriorities1764480001000 } from './1764480001000-index-run-priorities.js';
import { CreateDeferredAttempts1764490000000 } from './1764490000000-create-deferred-attempts.js';
import { CreateTenantEvents1764500000000 } from './1764500000000-create-tenant-events.js';

/** Every migration, oldest first. Append only: a released migration is never edited. */
export const migrations = [
  CreateAudit1763700000000,
  CreateIdentity1763700001000,
  CreateOrganizations1763700002000,
  CreateJobs1763700003000,
  ExtendIdentity1763800000000,
  ExtendOrganizations1763800001000,
  ProtectAuditChains1763800002000,
  ExtendJobs1763900000000,
  CreateCronTriggers1763910000000,
  CreateVaultSecrets1763920000000,
  CreateSigningSecrets1763921000000,
  CreateHooks1763922000000,
  ExtendRuns1763930000000,
  CreateJobRooms1763940000000,
  ExtendSigningKeys1763940001000,
  CreateDataEvents1763950000000,
  CreateRunLogs1763951000000,
  CreateProjects1763960000000,
  OpenJobs1763960001000,
  ScopeHooks1763960002000,
  ExtendProjects1764000000000,
  OrderLogsByNumber1764010000000,
  CreateMailCounts1764110000000,
  CountInvitations1764120000000,
  ProveAddresses1764130000000,
  ConfineDataCapture1764150000000,
  CreateCaptureFunctions1764150000400,
  RenderCapturedValues1764150000500,
  CountWaitingRuns1764150001000,
  SealAuditChains1764160000000,
  ShareWorkers1764170000000,
  NameMailRealms1764180000000,
  RenameToFieldTerms1764200000000,
  DropRunLogTriggers1764210000000,
  AddRunTokenKeys1764220000000,
  IndexWokenRuns1764230000000,
  CreateInstances1764240000000,
  CreateRunStats1764240001000,
  IndexRunSearch1764250000000,
  CreateRunOperations1764250001000,
  CreateOperators1764260000000,
  IndexUsers1764270000000,
  CreateMailHistory1764280000000,
  CreateSignInStats1764290000000,
  CreateFactors1764300000000,
  RequireSecondFactors1764350000000,
  CreateAddressChanges1764360000000,
  CreatePasskeys1764400000000,
  CreateSignInPolicies1764400001000,
  NameImportedHashes1764410000000,
  CreateSignInCodes1764420000000,
  AddUserLocale1764430000000,
  CreateMailTemplates1764430001000,
  CreateProjectBrands1764430002000,
  ExtendJobDefinitions1764460000000,
  IndexChildRuns1764460001000,
  KeepRedirectsOfMails1764470000000,
  AddRunPriorities1764480000000,
  IndexRunPriorities1764480001000,
  CreateDeferredAttempts1764490000000,
  CreateTenantEvents1764500000000,
];
