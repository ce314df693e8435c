import { UseGuards } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyRequest } from 'fastify';
import type { BodyKind } from '../body/body-limits.js';
import { ServiceError } from '../errors/service-error.js';
import type { FieldProblem } from '../errors/service-error.js';
import { shapeOf } from '../validation/dto-shape.js';
import { isDto } from '../validation/dto-arguments.js';

/** What a route reads from its requests, according to its arguments. */
interface ReadInput {
  readonly body: boolean;
  /** The fields of the query. */
  readonly query: readonly string[];
  /** Whether a DTO class validates the query. It refuses unknown fields. */
  readonly isQueryJudged: boolean;
}

/** `{}`, with or without a line break, or `null`: some clients send it with every request. */
const NOTHING_BYTES = 4;

function inputOf(target: object, method: string | symbol): ReadInput {
  const declared = (Reflect.getMetadata(ROUTE_ARGS_METADATA, target.constructor, method) ?? {}) as object;
  const types = (Reflect.getMetadata('design:paramtypes', target, method) ?? []) as readonly unknown[];
  const query: string[] = [];
  let body = false;
  let isQueryJudged = false;
  for (const [key, { index, data }] of Object.entries(
    declared as Record<string, { index: number; data?: unknown }>,
  )) {
    const type = types[index];
    if (key.startsWith(`${RouteParamtypes.BODY}:`)) body = true;
    if (!key.startsWith(`${RouteParamtypes.QUERY}:`)) continue;
    if (typeof data === 'string') query.push(data);
    else if (isDto(type)) {
      isQueryJudged = true;
      query.push(...shapeOf(type).keys());
    }
  }
  return { body, query, isQueryJudged };
}

/** What the caller can do instead. */
function hintOf({ body, query }: ReadInput): string {
  const fields = query.join(', ');
  if (query.length === 0)
    return `This route reads ${body ? 'a body and no query' : 'neither a body nor a query'}.`;
  return `This route reads ${body ? 'a body' : 'no body'}, and of the query ${fields}.`;
}

/** Whether the route reads a body without a DTO class: lines or bytes. */
function takesBodyOfItsKind({ routeOptions }: FastifyRequest): boolean {
  return (routeOptions.config as { bodyKind?: BodyKind }).bodyKind !== undefined;
}

/** Describes a body that nobody reads. */
function unreadOfBody(request: FastifyRequest): FieldProblem[] {
  const { body, method, headers } = request;
  const message = 'is in the body, which this route does not read';
  if (method === 'GET' || method === 'HEAD') {
    // Fastify does not read these, so only the length is known. Gateways announce empty bodies as chunked.
    const isSent = Number(headers['content-length'] ?? 0) > NOTHING_BYTES;
    return isSent ? [{ path: '', message: 'has a body, which this route does not read' }] : [];
  }
  if (body === undefined || body === null || takesBodyOfItsKind(request)) return [];
  if (typeof body !== 'object' || Array.isArray(body))
    return [{ path: '', message: 'has a body, which this route does not read' }];
  return Object.keys(body).map((path) => ({ path, message }));
}

function unreadOfQuery(request: FastifyRequest, { query }: ReadInput): FieldProblem[] {
  return Object.keys(request.query as object)
    .filter((field) => !query.includes(field))
    .map((path) => ({ path, message: 'is in the query, of which this route does not read it' }));
}

/**
 * Runs after authentication, like the validation of a DTO, but returns no promise that other requests would wait for.
 */
class UnreadInputGuard implements CanActivate {
  private readonly hint: string;

  constructor(private readonly input: ReadInput) {
    this.hint = hintOf(input);
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const details = [
      ...(this.input.body ? [] : unreadOfBody(request)),
      ...(this.input.isQueryJudged ? [] : unreadOfQuery(request, this.input)),
    ];
    if (details.length === 0) return true;
    throw new ServiceError('validation_failed', { details, hint: this.hint });
  }
}

/**
 * Refuses a request that contains input which the route does not read, since its sender relies on it. For example, a
 * request to remove a member and revoke their keys, with `revoke_keys` in the body instead of the query, would leave
 * the keys valid.
 */
export function RefusesUnreadInput(): MethodDecorator {
  return (target, method, descriptor) => {
    const input = inputOf(target, method);
    if (input.body && input.isQueryJudged) return;
    UseGuards(new UnreadInputGuard(input))(target, method, descriptor);
  };
}
