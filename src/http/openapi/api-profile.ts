import type { OpenAPIObject } from '@nestjs/swagger';
import type { ErrorCode } from '../errors/error-codes.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type SecuritySchemes = NonNullable<NonNullable<OpenAPIObject['components']>['securitySchemes']>;

/** What the OpenAPI document says of the active profile: the guards' module provides it. */
export abstract class ApiProfile {
  /** Paragraphs of what this is and how to begin. */
  abstract readonly description: readonly string[];

  /** The ways to say who is calling, by name; `bearer` is among them. */
  abstract readonly securitySchemes: SecuritySchemes;

  /** Of routes that act in a tenant: what may stand in place of `bearer`, and how the tenant is named. */
  abstract readonly tenantSecurity: NonNullable<Operation['security']>;
  abstract readonly tenantParameters: NonNullable<Operation['parameters']>;
  abstract readonly tenantErrors: readonly ErrorCode[];

  /** Of routes that the request's host addresses: what an address that leads nowhere is answered with. */
  abstract readonly addressErrors: readonly ErrorCode[];
}
