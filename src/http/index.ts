export { ApiProfile, serveApiDescription, VERSION } from './openapi/openapi.js';
export { TakesBody } from './body/body-limits.js';
export { answerCacheable, ShowsCacheable } from './server/cacheable-response.js';
export {
  CurrentCaller,
  CurrentOperator,
  CurrentProject,
  CurrentRequester,
  CurrentTenant,
  CurrentUser,
  originOf,
  requestOf,
  RequestOrigin,
} from './routes/caller.js';
export type {
  ApiKeyCaller,
  Caller,
  OperatorCaller,
  Origin,
  RunCaller,
  RunRights,
  ProjectKeyCaller,
  Requester,
  ResolvedProject,
  ServiceRequest,
  RevocableAccess,
  Tenant,
  TenantId,
  UserCaller,
} from './routes/caller.js';
export { ACCESS, ANY_METHOD, Endpoint, PROJECT_KEY_SECURITY, RUN_TOKENS } from './routes/endpoint.js';
export { checksAttempt, needsTenant, opensToRuns } from './routes/access-kinds.js';
export { routeAccess } from './routes/route-access.js';
export { TextBound } from './validation/dto-shape.js';
export { onResponseGone, watchAccess } from './routes/streamed-response.js';
export type { Access, RunTokenAccess } from './routes/access-kinds.js';
export type { EndpointOptions } from './routes/endpoint.js';
export { ERROR_CODES } from './errors/error-codes.js';
export type { ErrorCode } from './errors/error-codes.js';
export { FieldProblems } from './validation/field-problems.js';
export { AcceptsForm } from './body/form-body.js';
export { HttpModule } from './http.module.js';
export { isLoopbackHost } from './server/allowed-hosts.js';
export { isLoopback, rateKeyOf } from './server/client-address.js';
export { createHttpAdapter } from './server/http-server.js';
export {
  BooleanField,
  DtoField,
  EnumField,
  FormField,
  InstantField,
  IntField,
  JsonField,
  NumberField,
  PatternField,
  QueryIntField,
  TextField,
  UuidField,
} from './validation/fields.js';
export {
  DtoListField,
  EnumListField,
  IntListField,
  ListField,
  PatternListField,
  QueryListField,
} from './validation/list-fields.js';
export { Rule } from './validation/field.js';
export type { FieldOptions } from './validation/field.js';
export type { TextForm } from './validation/fields.js';
export {
  QueryBooleanField,
  QueryCount,
  QueryCursor,
  QueryFlag,
  QueryInstant,
} from './validation/query-fields.js';
export { MAX_JSON_DEPTH } from './body/json-body.js';
export { repeatedNameOf } from './body/json-path.js';
export { scanJson } from './body/json-text.js';
export { MethodsByPath } from './errors/methods-by-path.js';
export { ERROR_REFERENCE, JSON_REFERENCE } from './errors/openapi-schemas.js';
export { OpenConnections } from './server/open-connections.js';
export { NameField, nameProblem } from './validation/name-field.js';
export {
  decodeCursor,
  encodeCursor,
  Page,
  PageInterceptor,
  PageQuery,
  pageOf,
  positionOf,
  positionText,
} from './routes/page.js';
export type { ListPosition } from './routes/page.js';
export { timeSeries, TimeSeriesQuery } from './routes/time-series.js';
export { PAGE_HEADERS } from './server/response-headers.js';
export { PublicUrl } from './server/public-url.js';
export { TraceParent, traceParentOf } from './server/request-span.js';
export { ReceivedBody, TakesRawBody } from './body/raw-body.js';
export type { RawBody } from './body/raw-body.js';
export { objectOf, ReceivedLines, TakesLines } from './body/ndjson-body.js';
export type { BodyLine } from './body/ndjson-body.js';
export { AnswersSubRequests } from './body/unread-body.js';
export { BodyItemTexts, BodyMemberText, parseKeeping, RawJson } from './body/raw-json.js';
export { ServiceError } from './errors/service-error.js';
export type { FieldProblem, SignInChallenge, SignInEnrolment } from './errors/service-error.js';
export { inspected, isStorableJson, validated } from './validation/validation.js';
export type { Inspected } from './validation/validation.js';
