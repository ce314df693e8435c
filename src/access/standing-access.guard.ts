import { Inject, Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext, Provider, Type } from '@nestjs/common';
import type { ServiceRequest } from '../platform/http/index.js';

const STANDING_GUARDS = Symbol('the guards that a long answer asks again');

/** Which guards those are, in the order of their asking. */
export function standingGuards(...guards: Type<CanActivate>[]): Provider {
  return {
    provide: STANDING_GUARDS,
    useFactory: (...instances: CanActivate[]) => instances,
    inject: guards,
  };
}

/** Lets an answer that goes on for long ask again, with the same request, what the other guards asked at its begin. */
@Injectable()
export class StandingAccessGuard implements CanActivate {
  constructor(@Inject(STANDING_GUARDS) private readonly guards: readonly CanActivate[]) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<ServiceRequest>();
    request.demandAccess = async () => {
      for (const guard of this.guards) await guard.canActivate(context);
    };
    return true;
  }
}
