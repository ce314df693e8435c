import { Controller } from '@nestjs/common';
import { ApiTags, ApiProperty } from '@nestjs/swagger';
import { CurrentCaller, CurrentTenant, Endpoint, RequestOrigin } from '../../http/index.js';
import type { Caller, Origin, Tenant } from '../../http/index.js';
import { SigningSecrets } from './signing-secrets.js';

export class SigningSecretDto {
  @ApiProperty({
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    description: 'For any library of Standard Webhooks.',
  })
  secret!: string;
}

@ApiTags('Jobs')
@Controller('jobs/v1/signing-secret')
export class SigningSecretController {
  constructor(private readonly secrets: SigningSecrets) {}

  @Endpoint.get('', {
    access: 'jobs:secrets:read',
    summary: 'The secret with which calls to handlers are signed',
    description:
      'Handlers verify the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` with it, by Standard Webhooks. Made when it is first needed.',
    response: SigningSecretDto,
    // The secret is valid beyond the attempt and allows calls to every handler of the tenant.
    runTokens: 'closed',
  })
  async show(@CurrentTenant() tenant: Tenant): Promise<SigningSecretDto> {
    const [{ secret }] = await this.secrets.signing(tenant.id);
    return { secret };
  }

  @Endpoint.post('rotate', {
    access: 'jobs:secrets:write',
    summary: 'Replace the secret with which calls to handlers are signed',
    description: 'For 24 hours calls carry a signature of the new secret and one of the old.',
    response: SigningSecretDto,
    errors: ['session_revoked'],
    runTokens: 'closed',
  })
  async rotate(
    @CurrentTenant() tenant: Tenant,
    @CurrentCaller() caller: Caller,
    @RequestOrigin() origin: Origin,
  ): Promise<SigningSecretDto> {
    const { secret } = await this.secrets.rotate(tenant.id, caller, origin);
    return { secret };
  }
}
