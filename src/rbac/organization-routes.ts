import { applyDecorators, Controller } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';

/** The `{org}` of a path in the OpenAPI document. The tenant guard reads it. */
export const ORG_PARAM = {
  name: 'org',
  type: String,
  description: 'Organization id or slug.',
  example: 'acme',
};

/** A controller of the resource `path` of an organization, under `tag` in the OpenAPI document. */
export function OrganizationRoutes(path: string, tag: string): ClassDecorator {
  return applyDecorators(ApiTags(tag), ApiParam(ORG_PARAM), Controller(`auth/v1/orgs/:org/${path}`));
}
