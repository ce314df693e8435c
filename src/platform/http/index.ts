export { ApiProfile } from './api-profile.js';
export { TakesBody } from './body-limits.js';
export { answerCacheable } from './cacheable-answer.js';
export {
  CurrentCaller,
  CurrentProject,
  CurrentTenant,
  CurrentUser,
  originOf,
  RequestOrigin,
} from './caller.js';
export type {
  ApiKeyCaller,
  Caller,
  Origin,
  RunCaller,
  ProjectKeyCaller,
  ResolvedProject,
  ServiceRequest,
  Tenant,
  TenantId,
  UserCaller,
} from './caller.js';
export {
  ACCESS,
  Endpoint,
  needsProvenAddress,
  needsTenant,
  OWN_ACCOUNT,
  PROJECT_KEY_SECURITY,
  RUN_TOKENS,
} from './endpoint.js';
export { EachItem, JsonObject, NestedDto, Omittable, TextBound } from './dto-shape.js';
export type { Access } from './endpoint.js';
export { ERROR_CODES } from './error-codes.js';
export type { ErrorCode } from './error-codes.js';
export { FieldProblems } from './field-problems.js';
export { AcceptsForm } from './form-body.js';
export { HttpModule } from './http.module.js';
export { clientAddressOf, isLoopback, rateKeyOf } from './client-address.js';
export { createHttpAdapter } from './http-server.js';
export { Instant } from './instant.js';
export { MAX_JSON_DEPTH } from './json-body.js';
export { scanJson } from './json-text.js';
export { MethodsByPath } from './methods-by-path.js';
export { ERROR_REFERENCE, JSON_REFERENCE } from './openapi-schemas.js';
export { OpenConnections } from './open-connections.js';
export { serveApiDocumentation } from './openapi.js';
export { NameField, nameProblem } from './name-field.js';
export { decodeCursor, PageQuery, pageOf, sendPage } from './page.js';
export type { Page } from './page.js';
export { PublicUrl } from './public-url.js';
export { ReceivedBody, TakesRawBody } from './raw-body.js';
export type { RawBody } from './raw-body.js';
export { BodyMemberText, RawJson } from './raw-json.js';
export { opensToRuns } from './run-token-routes.js';
export type { RunTokenAccess } from './run-token-routes.js';
export { ServiceError } from './service-error.js';
export type { FieldProblem } from './service-error.js';
export { inspected, validated } from './validation.js';
export type { Inspected } from './validation.js';
