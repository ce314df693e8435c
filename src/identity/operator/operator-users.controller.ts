import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { actorOf } from '../../audit/index.js';
import { isUuid } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import {
  CurrentOperator,
  decodeCursor,
  Endpoint,
  pageOf,
  RequestOrigin,
  ServiceError,
} from '../../http/index.js';
import type { OperatorCaller, Origin, Page } from '../../http/index.js';
import { UserRepository } from '../users/user.repository.js';
import {
  ChangeUserBody,
  OperatorUserDto,
  OperatorUserQuery,
  toOperatorUserDto,
} from './dto/operator-user.js';
import { OperatorUserRepository, UserDisabling } from './operator-users.js';

@ApiTags('Operator')
@Controller('admin/v1/users')
export class OperatorUsersController {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly operatorUsers: OperatorUserRepository,
    private readonly disabling: UserDisabling,
  ) {}

  @Endpoint.get('', {
    access: 'operator',
    summary: 'Users, newest first',
    response: [OperatorUserDto],
    errors: ['validation_failed'],
  })
  async list(@Query() { limit, cursor, email }: OperatorUserQuery): Promise<Page<OperatorUserDto>> {
    const before = decodeCursor(cursor);
    const found = await this.operatorUsers.list(this.database.reader, null, email ?? null, {
      limit: limit + 1,
      before,
    });
    return pageOf(found, limit, ({ id }) => id).map(toOperatorUserDto);
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
