import { Inject, Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { ServiceError } from '../platform/http/index.js';

const SERVED_BY_EVERY_ROLE = /^\/(?:health|metrics)(?:\/|$)/;

/** An instance without the `api` role serves its health and metrics, and nothing else. */
@Injectable()
export class ApiRoleGuard implements CanActivate {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  canActivate(context: ExecutionContext): boolean {
    const route = context.switchToHttp().getRequest<FastifyRequest>().routeOptions.url ?? '';
    if (this.config.roles.has('api') || SERVED_BY_EVERY_ROLE.test(route)) return true;
    throw new ServiceError('not_found', {
      hint: 'This instance does not have the api role; ask one that has.',
    });
  }
}
