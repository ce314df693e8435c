import { rememberCaller } from './caller.js';
import type { HeaderBag, VerifiedCaller } from './caller.js';
import { Refusal } from './refusal.js';

/** Accepts a request or refuses it. @throws Refusal */
export type Demand = (headers: HeaderBag) => Promise<VerifiedCaller>;

interface RequestLike {
  readonly headers: HeaderBag;
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
    require(request.headers).then(
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
      rememberCaller(request, await require(request.headers));
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
        rememberCaller(request, await require(request.headers));
        return true;
      } catch (error) {
        throw error instanceof Refusal ? toError(error) : error;
      }
    },
  };
}
