import { Inject, Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { secretsEqual } from '../platform/crypto/index.js';
import { ACCESS, ServiceError } from '../platform/http/index.js';
import type { Access, ServiceRequest } from '../platform/http/index.js';

const BEARER = /^Bearer +(\S+)$/i;

/** Demands `admin.token` where a route is the operator's. Without one configured such routes do not exist. */
@Injectable()
export class OperatorGuard implements CanActivate {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    if (this.reflector.get<Access>(ACCESS, context.getHandler()) !== 'operator') return true;
    const { token } = this.config.admin;
    if (token === null) throw new ServiceError('not_found');
    const { authorization } = context.switchToHttp().getRequest<ServiceRequest>().headers;
    const presented = BEARER.exec(authorization ?? '')?.[1];
    if (presented !== undefined && secretsEqual(presented, token)) return true;
    throw new ServiceError('invalid_admin_token', { headers: { 'WWW-Authenticate': 'Bearer' } });
  }
}
