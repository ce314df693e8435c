import { fastify } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { newId } from '../../platform/crypto/index.js';
import { followRequest } from '../../platform/logging/index.js';
import type { Tracing } from '../../platform/tracing/index.js';
import { hostFilter } from './allowed-hosts.js';
import { refuseEncodedBodies, limitBodies, ordinaryLimit } from '../body/body-limits.js';
import type { BodyLimits } from '../body/body-limits.js';
import { observeClientAddresses, trustOf } from './client-address.js';
import type { TrustedProxies } from './client-address.js';
import { answerClientError, answerConnect, toServiceError } from '../errors/error-mapper.js';
import type { ErrorCode } from '../errors/error-codes.js';
import { errorBody, ServiceError } from '../errors/service-error.js';
import { acceptForms } from '../body/form-body.js';
import { acceptJsonBodies } from '../body/json-body.js';
import { acceptLines } from '../body/ndjson-body.js';
import { isRoutable, NestAdapter } from './nest-adapter.js';
import { MAX_PATH_SEGMENT } from '../errors/methods-by-path.js';
import type { MethodsByPath } from '../errors/methods-by-path.js';
import { acceptRawBodies } from '../body/raw-body.js';
import { knowEveryMethod, leaveBodiesUnread } from '../body/unread-body.js';
import { writeJson } from '../body/raw-json.js';
import { traceRequest } from './request-span.js';
import { COMMON_HEADERS, setCommonHeaders } from './response-headers.js';
import { closeConnectionsInStages } from './lingering-close.js';
import { closeUnreadResponses } from './unread-responses.js';
import { requireStorablePath } from '../validation/validation.js';

export interface HttpServerOptions {
  readonly bodyLimits: BodyLimits;
  /**
   * From a request's first byte to its last, so that a request that never ends does not hold its connection for ever.
   */
  readonly requestLimitMs: number;
  /** How long a client that is told that the connection closes may go on sending. */
  readonly lingerMs: number;
  readonly trustProxy: TrustedProxies;
  /** Whether Nest will be asked to enable CORS. */
  readonly usesCors: boolean;
  /** Hosts that requests may be for; if empty, any. */
  readonly allowedHosts: readonly string[];
  /** How long a response waits for its reader. */
  readonly unreadMs: number;
  /** False for an instance that serves only its health and metrics. */
  readonly servesApi: boolean;
  readonly methodsByPath: MethodsByPath;
  readonly tracing: Tracing;
  /** Called for each refusal that the error filter does not see. */
  readonly refused: (code: ErrorCode) => void;
}

const SERVED_BY_EVERY_ROLE = /^\/(?:health|metrics)(?:[/?]|$)/;
const SANE_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
/**
 * Node keeps the first of these headers, or joins them, without an error. Two of them could be two callers, hosts, keys
 * or addresses.
 */
const SINGLE_HEADERS = new Set([
  'authorization',
  'x-api-key',
  'apikey',
  'x-service-org',
  'x-service-project',
  'host',
  'idempotency-key',
  'last-event-id',
]);

function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && SANE_REQUEST_ID.test(header) ? header : newId();
}

function repeatedHeader(rawHeaders: readonly string[]): string | undefined {
  const found: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (!SINGLE_HEADERS.has(name)) continue;
    if (found.includes(name)) return name;
    found.push(name);
  }
  return undefined;
}

/** What is wrong with the headers of a request as a whole; undefined if nothing is. */
function headerProblem({ rawHeaders, httpVersion, headers }: IncomingMessage): ServiceError | undefined {
  const repeated = repeatedHeader(rawHeaders);
  if (repeated !== undefined) {
    return new ServiceError('repeated_header', {
      message: `The header ${repeated} was sent more than once.`,
    });
  }
  // RFC 9112, section 3.2. Node would refuse it too, but with a body of its own.
  const lacksHost = httpVersion === '1.1' && headers.host === undefined;
  return lacksHost ? new ServiceError('bad_request', { message: 'The Host header is missing.' }) : undefined;
}

/** What is wrong with a request, before its caller is identified. */
function requestProblem({ raw, params }: FastifyRequest): ServiceError | undefined {
  try {
    requireStorablePath(params);
    return headerProblem(raw);
  } catch (error) {
    return error as ServiceError;
  }
}

/** Refuses requests that arrive on open connections after the server has stopped accepting new ones. */
function refuseWhileClosing(server: FastifyInstance): void {
  let isClosing = false;
  server.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });
  server.addHook('onRequest', (_request, _reply, done) => {
    if (isClosing) done(new ServiceError('unavailable', { headers: { 'Retry-After': '1' } }));
    else done();
  });
}

/** Fastify under Nest, with what applies to every request: id, security headers, JSON bodies, one error body. */
export function createHttpAdapter(options: HttpServerOptions): NestAdapter {
  const trust = trustOf(options.trustProxy);
  const isAllowedHost = hostFilter(options.allowedHosts);
  const server = fastify({
    bodyLimit: ordinaryLimit(options.bodyLimits),
    // This decides about X-Forwarded-Host. We determine the client's address ourselves: Fastify does not support a
    // count of proxies.
    trustProxy: options.trustProxy === false ? false : trust,
    routerOptions: { maxParamLength: MAX_PATH_SEGMENT },
    genReqId: (request: IncomingMessage) => requestIdOf(request.headers['x-request-id']),
    clientErrorHandler: (error, socket) => {
      const code = answerClientError(error, socket);
      if (code !== null) options.refused(code);
    },
    requestTimeout: options.requestLimitMs,
    http: { requireHostHeader: false },
    // Fastify would refuse with a body of its own; see refuseWhileClosing.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      const refusal = toServiceError(error);
      options.refused(refusal.code);
      void reply
        .headers({ ...COMMON_HEADERS, 'x-request-id': request.id })
        .status(refusal.status)
        .send(errorBody(refusal));
    },
  });
  server.decorateRequest('trace', null);
  server.decorateRequest('origin', null);
  // Before the hooks of the adapter, which answer a preflight themselves.
  setCommonHeaders(server);
  closeConnectionsInStages(server.server, options.lingerMs);
  closeUnreadResponses(server, options.unreadMs);
  observeClientAddresses(server, trust);
  const adapter = options.usesCors ? new NestAdapter(server) : NestAdapter.withoutHooks(server);
  options.methodsByPath.observe(server);
  limitBodies(server, options.bodyLimits);
  acceptJsonBodies(server);
  acceptForms(server);
  acceptLines(server);
  acceptRawBodies(server);
  knowEveryMethod(server);
  leaveBodiesUnread(server);
  refuseEncodedBodies(server);
  server.setReplySerializer(writeJson);
  server.server.on('connect', (_request, socket) => {
    answerConnect(socket as Socket);
  });
  // An unknown expectation is not a reason to refuse a request (RFC 9110, section 10.1.1).
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  );
  server.addHook('onRequest', (request, reply, done) => {
    // Here, because a guard would run after the refusals of the router and of the body parser.
    if (!options.servesApi && !SERVED_BY_EVERY_ROLE.test(request.url)) {
      done(
        new ServiceError('not_found', {
          hint: 'This instance does not have the api role; ask one that has.',
        }),
      );
      return;
    }
    // Probes and scrapers use the address and not a name.
    if (!SERVED_BY_EVERY_ROLE.test(request.url) && !isAllowedHost(request.host)) {
      done(new ServiceError('misdirected_request'));
      return;
    }
    if (!isRoutable(request.url)) {
      // Not with the handler of unknown routes: it would look up the target as a path, and list that path's methods.
      done(new ServiceError('not_found'));
      return;
    }
    if (options.tracing.isOn && !SERVED_BY_EVERY_ROLE.test(request.url))
      traceRequest(options.tracing, request, reply);
    followRequest(request, () => {
      done(requestProblem(request));
    });
  });
  refuseWhileClosing(server);
  return adapter;
}
