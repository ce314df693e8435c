import { ApiProfile } from '../http/index.js';
import type { ErrorCode } from '../http/index.js';

/** The name of `X-API-Key` among the security schemes. */
const API_KEY_SECURITY = 'api_key';

export class OrganizationApi extends ApiProfile {
  readonly description = [
    'Service tells you who is calling, in which organization, and what they may do. It also runs background jobs.',
    'Try it here: sign up, copy `access_token`, paste it into **Authentication**, and name your organization in `X-Service-Org`.',
  ];

  readonly securitySchemes: ApiProfile['securitySchemes'] = {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'An access token, or an API key where one is allowed.',
    },
    [API_KEY_SECURITY]: {
      type: 'apiKey',
      in: 'header',
      name: 'X-API-Key',
      description: 'An API key of an organization.',
    },
  };

  readonly tenantSecurity = [{ [API_KEY_SECURITY]: [] }];

  readonly tenantParameters: ApiProfile['tenantParameters'] = [
    {
      name: 'X-Service-Org',
      in: 'header',
      required: false,
      description: 'Organization id or slug. A member of exactly one organization may omit it.',
      schema: { type: 'string' },
    },
  ];

  readonly tenantErrors: readonly ErrorCode[] = ['org_required', 'org_mismatch', 'not_a_member'];
  readonly addressErrors = [];
}
