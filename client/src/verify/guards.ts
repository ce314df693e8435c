import { rememberCaller } from './caller.js';
import type { HeaderBag, VerifiedCaller } from './caller.js';
import { Refusal } from './refusal.js';

/** Accepts a request or refuses it. @throws Refusal */
export type Demand = (headers: HeaderBag) => Promise<VerifiedCaller>;

interface RequestLike {
  readonly headers: HeaderBag;
  /** Names and values in turn, as they were received (Node.js, Express). */
  readonly rawHeaders?: readonly string[];
  /** The request of Node.js, in Fastify. */
  readonly raw?: { readonly rawHeaders?: readonly string[] };
}

/** Node.js keeps the first of several `Authorization`. They could name two callers, so none of them counts. */
function headersOf({ headers, rawHeaders, raw }: RequestLike): HeaderBag {
  const received = rawHeaders ?? raw?.rawHeaders ?? [];
  const isAuthorization = (text: string, at: number): boolean =>
    at % 2 === 0 && text.toLowerCase() === 'authorization';
  return received.filter(isAuthorization).length > 1 ? { ...headers, authorization: undefined } : headers;
}

interface ExpressResponse {
  setHeader(name: string, value: string): unknown;
  status(code: number): { json(body: unknown): unknown };
}

/** A middleware of Express. It answers refusals itself, with the service's error body. */
export type ExpressMiddleware = (
  request: RequestLike,
  response: ExpressResponse,
  next: (error?: unknown) => void,
) => void;

export function expressMiddleware(require: Demand): ExpressMiddleware {
  return (request, response, next) => {
    require(headersOf(request)).then(
      (caller) => {
        rememberCaller(request, caller);
        next();
      },
      (error: unknown) => {
        if (!(error instanceof Refusal)) {
          next(error);
          return;
        }
        for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
        response.status(error.status).json(error.body);
      },
    );
  };
}

interface FastifyReply {
  code(status: number): FastifyReply;
  headers(values: Record<string, string>): FastifyReply;
  send(body: unknown): FastifyReply;
}

/** A hook of Fastify, for `onRequest` or `preHandler`. It answers refusals itself, with the service's error body. */
export type FastifyHook = (request: RequestLike, reply: FastifyReply) => Promise<unknown>;

export function fastifyHook(require: Demand): FastifyHook {
  return async (request, reply) => {
    try {
      rememberCaller(request, await require(headersOf(request)));
      return undefined;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return reply.code(error.status).headers(error.headers).send(error.body);
    }
  };
}

interface NestContext {
  switchToHttp(): { getRequest(): unknown };
}

/** A guard of Nest, for `@UseGuards(…)`. */
export interface NestGuard {
  canActivate(context: NestContext): Promise<boolean>;
}

/** @param toError what to throw for a refusal: an `HttpException`, which Nest answers with any body, unlike others */
export function nestGuard(require: Demand, toError: (refusal: Refusal) => Error): NestGuard {
  return {
    canActivate: async (context) => {
      const request = context.switchToHttp().getRequest() as RequestLike;
      try {
        rememberCaller(request, await require(headersOf(request)));
        return true;
      } catch (error) {
        throw error instanceof Refusal ? toError(error) : error;
      }
    },
  };
}
