import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { actorOf } from '../../../../audit/index.js';
import { CurrentCaller, CurrentProject, Endpoint, RequestOrigin } from '../../../../http/index.js';
import type { Caller, Origin, Page, ResolvedProject } from '../../../../http/index.js';
import { ChangeUserBody, ManagedAccounts, OperatorUserQuery } from '../../../managed-accounts/index.js';
import type { UserEntity } from '../../../users/user.repository.js';
import { ProjectUserDto } from '../dto/session.js';
import { realmOf } from '../../../own-account/own-account-access.js';
import { CreateProjectUserBody } from './dto.js';
import { ProjectUsers } from './project-users.js';
import { NO_METADATA } from '../../../users/metadata.js';

export class ManagedUserDto extends ProjectUserDto {
  @ApiProperty({ type: Boolean, description: 'Whether a mail has proven the address.' })
  email_verified!: boolean;

  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  @ApiProperty({ type: Boolean })
  disabled!: boolean;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  disabled_at!: string | null;

  @ApiProperty({ type: Boolean, description: 'False where the user signs in only by mails.' })
  has_password!: boolean;
}

function toManagedUserDto(user: UserEntity): ManagedUserDto {
  return {
    id: user.id,
    email: user.email,
    email_verified: user.emailVerified,
    created_at: user.createdAt.toISOString(),
    disabled: user.disabledAt !== null,
    disabled_at: user.disabledAt?.toISOString() ?? null,
    has_password: user.passwordHash !== null,
    ...(user.locale === null ? {} : { locale: user.locale }),
  };
}

@ApiTags('Users')
@Controller('auth/v1/users')
export class ProjectUsersController {
  constructor(
    private readonly users: ProjectUsers,
    private readonly accounts: ManagedAccounts,
  ) {}

  @Endpoint.get('', {
    access: 'service_key',
    summary: 'Users of the project, newest first',
    response: [ManagedUserDto],
    errors: ['validation_failed'],
  })
  async list(
    @CurrentProject() project: ResolvedProject,
    @Query() query: OperatorUserQuery,
  ): Promise<Page<ManagedUserDto>> {
    return (await this.users.list(realmOf(project), query)).map(toManagedUserDto);
  }

  @Endpoint.post('', {
    access: 'service_key',
    summary: 'Create a user',
    description:
      'Whatever `identity.sign_up` says. The address is unverified until the user follows the link of a mail, which ' +
      'removes a password that was set here.',
    status: 201,
    response: ManagedUserDto,
    errors: ['validation_failed', 'weak_password', 'email_taken', 'mail_not_configured', 'rate_limited'],
  })
  async create(
    @CurrentProject() project: ResolvedProject,
    @CurrentCaller() caller: Caller,
    @Body() body: CreateProjectUserBody,
    @RequestOrigin() origin: Origin,
  ): Promise<ManagedUserDto> {
    const { email, password = null, locale = null, mail = null } = body;
    const wanted = { email, password, metadata: NO_METADATA, locale, mail, redirect: body };
    const by = { actor: actorOf(caller), origin };
    return toManagedUserDto(await this.accounts.create(realmOf(project), wanted, by));
  }

  @Endpoint.get(':id', {
    access: 'service_key',
    summary: 'A user of the project',
    response: ManagedUserDto,
    errors: ['user_not_found'],
  })
  async show(@CurrentProject() project: ResolvedProject, @Param('id') id: string): Promise<ManagedUserDto> {
    return toManagedUserDto(await this.users.show(realmOf(project), id));
  }

  @Endpoint.patch(':id', {
    access: 'service_key',
    summary: 'Disable or enable a user',
    response: ManagedUserDto,
    errors: ['validation_failed', 'user_not_found'],
  })
  async change(
    @CurrentProject() project: ResolvedProject,
    @CurrentCaller() caller: Caller,
    @Param('id') userId: string,
    @Body() { disabled }: ChangeUserBody,
    @RequestOrigin() origin: Origin,
  ): Promise<ManagedUserDto> {
    const act = { realm: realmOf(project), userId, actor: actorOf(caller), origin };
    return toManagedUserDto(await this.users.setDisabled(act, disabled));
  }

  @Endpoint.delete(':id', {
    access: 'service_key',
    summary: 'Delete a user, with all sessions',
    status: 204,
    errors: ['user_not_found'],
  })
  async delete(
    @CurrentProject() project: ResolvedProject,
    @CurrentCaller() caller: Caller,
    @Param('id') userId: string,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    await this.users.delete({ realm: realmOf(project), userId, actor: actorOf(caller), origin });
  }
}
