import { ApiProfile, PROJECT_KEY_SECURITY } from '../../http/index.js';
import type { ErrorCode } from '../../http/index.js';

export class ProjectApi extends ApiProfile {
  readonly description = [
    'Who is calling, in which project, and what they may do; and background jobs.',
    'The operator makes a project at `/admin/v1/projects`. Its anon key and service key go in `apikey`, or like access ' +
      'tokens in `Authorization: Bearer`; with either, or by one of its hosts, a request is for that project.',
  ];

  readonly securitySchemes: ApiProfile['securitySchemes'] = {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description:
        'An access token of a user, or a key of the project. Operators send their own token, and the ref of the project ' +
        'in `X-Service-Project`.',
    },
    [PROJECT_KEY_SECURITY]: {
      type: 'apiKey',
      in: 'header',
      name: 'apikey',
      description: 'The anon key or the service key of the project.',
    },
  };

  readonly tenantSecurity = [{ [PROJECT_KEY_SECURITY]: [] }];
  readonly tenantParameters: ApiProfile['tenantParameters'] = [
    {
      name: 'X-Service-Project',
      in: 'header',
      required: false,
      description: "The project's ref, of which an operator does what its service key may.",
      schema: { type: 'string' },
    },
  ];

  readonly tenantErrors: readonly ErrorCode[] = [
    'project_required',
    'project_mismatch',
    'project_not_found',
    'session_revoked',
    'second_factor_required',
    'operator_read_only',
  ];

  // If the host names no project, the credentials may.
  readonly addressErrors: readonly ErrorCode[] = [
    'project_required',
    'project_mismatch',
    'invalid_access_token',
    'invalid_api_key',
    'run_token_not_allowed',
  ];
}
