import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Database } from '../../../platform/database/index.js';
import { CurrentUser, Endpoint, RequestOrigin, ServiceError } from '../../../http/index.js';
import type { Origin, UserCaller } from '../../../http/index.js';
import { AccountUpdates } from '../../accounts/account-updates.js';
import { passwordChangeOf } from '../../accounts/password-change.dto.js';
import { UserRepository } from '../../users/user.repository.js';
import { ProjectUserDto, toProjectUserDto, UpdateProjectUserBody } from './dto/session.js';

/** The account of a user of a project. */
@ApiTags('Identity')
@Controller('auth/v1/user')
export class ProjectAccountController {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly updates: AccountUpdates,
  ) {}

  @Endpoint.get('', {
    access: 'project_user',
    ownAccount: true,
    summary: 'The caller',
    response: ProjectUserDto,
  })
  async show(@CurrentUser() { userId }: UserCaller): Promise<ProjectUserDto> {
    const user = await this.users.findById(this.database.reader, userId);
    if (user === null) throw new ServiceError('invalid_access_token');
    return toProjectUserDto(user);
  }

  @Endpoint.patch('', {
    access: 'project_user',
    ownAccount: true,
    isForOperatorsToo: true,
    summary: "Change the caller's language or password",
    description: 'A new password requires the current one, and ends every other session.',
    response: ProjectUserDto,
    errors: ['validation_failed', 'weak_password', 'wrong_password', 'session_revoked', 'overloaded'],
  })
  async update(
    @CurrentUser() caller: UserCaller,
    @Body() body: UpdateProjectUserBody,
    @RequestOrigin() origin: Origin,
  ): Promise<ProjectUserDto> {
    const { locale } = body;
    const patch = { ...(locale === undefined ? {} : { locale }), ...passwordChangeOf(body) };
    await this.updates.update(caller, patch, origin);
    return await this.show(caller);
  }
}
