import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { actorOf } from '../../../audit/index.js';
import { isUuid } from '../../../platform/crypto/index.js';
import { Database } from '../../../platform/database/index.js';
import {
  CurrentOperator,
  decodeCursor,
  Endpoint,
  pageOf,
  RequestOrigin,
  ServiceError,
  TakesBody,
} from '../../../http/index.js';
import type { OperatorCaller, Origin, Page } from '../../../http/index.js';
import { DEPLOYMENT_REALM, UserRepository } from '../../users/user.repository.js';
import { CreateUserBody } from '../dto/managed-account.js';
import {
  ChangeUserBody,
  OperatorUserDto,
  OperatorUserQuery,
  toOperatorUserDto,
} from '../dto/operator-user.js';
import { ManagedAccounts } from './managed-accounts.js';
import { OperatorUserRepository, UserDisabling } from './operator-users.js';
import { metadataOf, NO_METADATA } from '../../users/metadata.js';

@ApiTags('Operator')
@Controller('admin/v1/users')
export class OperatorUsersController {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly operatorUsers: OperatorUserRepository,
    private readonly accounts: ManagedAccounts,
    private readonly disabling: UserDisabling,
  ) {}

  @Endpoint.get('', {
    access: 'operator',
    summary: 'Users, newest first',
    response: [OperatorUserDto],
    errors: ['validation_failed'],
  })
  async list(@Query() { limit, cursor, email, search }: OperatorUserQuery): Promise<Page<OperatorUserDto>> {
    const before = decodeCursor(cursor);
    const filter = { realmId: DEPLOYMENT_REALM, emailStart: email ?? null, search: search ?? null };
    const found = await this.operatorUsers.list(this.database.reader, filter, { limit: limit + 1, before });
    return pageOf(found, limit, ({ id }) => id).map(toOperatorUserDto);
  }

  @Endpoint.post('', {
    access: 'operator',
    summary: 'Create a user',
    description:
      'Whatever `identity.sign_up` says. The address is unverified until the user follows the link of a mail, and a ' +
      'recovery removes a password that was set here.',
    status: 201,
    response: OperatorUserDto,
    errors: [
      'validation_failed',
      'weak_password',
      'email_taken',
      'mail_not_configured',
      'rate_limited',
      'overloaded',
    ],
  })
  @TakesBody('metadata')
  async create(
    @Body() body: CreateUserBody,
    @CurrentOperator() operator: OperatorCaller,
    @RequestOrigin() origin: Origin,
  ): Promise<OperatorUserDto> {
    const { email, password = null, metadata, locale = null, mail = null } = body;
    const kept = metadata === undefined ? NO_METADATA : metadataOf(metadata);
    const wanted = { email, password, metadata: kept, locale, mail, redirect: body };
    const by = { actor: actorOf(operator), origin };
    return toOperatorUserDto(await this.accounts.create(DEPLOYMENT_REALM, wanted, by));
  }

  @Endpoint.get(':id', {
    access: 'operator',
    summary: 'A user',
    response: OperatorUserDto,
    errors: ['user_not_found'],
  })
  async show(@Param('id') id: string): Promise<OperatorUserDto> {
    const user = isUuid(id) ? await this.users.findById(this.database.reader, id) : null;
    if (user === null) throw new ServiceError('user_not_found');
    return toOperatorUserDto(user);
  }

  @Endpoint.patch(':id', {
    access: 'operator',
    summary: 'Disable or enable a user',
    response: OperatorUserDto,
    errors: ['validation_failed', 'user_not_found'],
  })
  async change(
    @Param('id') id: string,
    @Body() { disabled }: ChangeUserBody,
    @CurrentOperator() operator: OperatorCaller,
    @RequestOrigin() origin: Origin,
  ): Promise<OperatorUserDto> {
    const by = { actor: actorOf(operator), origin };
    return toOperatorUserDto(await this.disabling.setDisabled(id, disabled, by));
  }
}
