import { Controller, Param, Query } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { actorOf } from '../../audit/index.js';
import { CurrentOperator, Endpoint, PageQuery, RequestOrigin } from '../../http/index.js';
import type { OperatorCaller, Origin, Page } from '../../http/index.js';
import { ApiKeyDto, toApiKeyDto } from './dto/api-key.js';
import { OperatorApiKeys } from './operator-api-keys.js';

class KeyOrganizationDto {
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  @ApiProperty({ type: String, example: 'acme' })
  slug!: string;

  @ApiProperty({ type: String, example: 'Acme Inc.' })
  name!: string;
}

export class UserApiKeyDto extends ApiKeyDto {
  @ApiProperty({ type: KeyOrganizationDto, description: 'The organization that the key belongs to.' })
  org!: KeyOrganizationDto;
}

/** The API keys that a user created, for the operator. */
@ApiTags('Operator')
@Controller('admin/v1/users/:id/api-keys')
export class OperatorApiKeysController {
  constructor(private readonly keys: OperatorApiKeys) {}

  @Endpoint.get('', {
    access: 'operator',
    summary: 'API keys that a user created, newest first',
    description:
      'In every organization. Keys outlive the account of their creator. Revoked and expired ones are listed.',
    response: [UserApiKeyDto],
    errors: ['validation_failed', 'user_not_found'],
  })
  async list(@Param('id') userId: string, @Query() query: PageQuery): Promise<Page<UserApiKeyDto>> {
    return (await this.keys.list(userId, query)).map(({ org, ...key }) => ({ ...toApiKeyDto(key), org }));
  }

  @Endpoint.delete(':key_id', {
    access: 'operator',
    summary: 'Revoke an API key that a user created',
    description: 'It is refused everywhere within a second. Revoking it again changes nothing.',
    status: 204,
    errors: ['user_not_found', 'key_not_found', 'overloaded'],
  })
  async revoke(
    @Param('id') userId: string,
    @Param('key_id') keyId: string,
    @CurrentOperator() operator: OperatorCaller,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    await this.keys.revoke({ userId, keyId, actor: actorOf(operator), origin });
  }
}
