import { Body, Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AuditEntryDto, toAuditEntryDto } from '../../../../audit/index.js';
import { CurrentUser, Endpoint, PageQuery, RequestOrigin, TakesBody } from '../../../../http/index.js';
import type { Page, Origin, UserCaller } from '../../../../http/index.js';
import { AccountDeletion } from './account-deletion.js';
import { DeleteUserBody, toAccountPatch, UpdateUserBody } from '../dto/account.js';
import { CurrentUserDto } from '../dto/user.js';
import { Profile } from './profile.js';

@ApiTags('Identity')
@Controller('auth/v1/user')
export class ProfileController {
  constructor(
    private readonly profile: Profile,
    private readonly deletion: AccountDeletion,
  ) {}

  @Endpoint.get('', {
    access: 'user',
    ownAccount: true,
    summary: "The caller's profile and organizations",
    response: CurrentUserDto,
  })
  async show(@CurrentUser() caller: UserCaller): Promise<CurrentUserDto> {
    return await this.profile.ofUser(caller.userId);
  }

  @Endpoint.patch('', {
    access: 'user',
    ownAccount: true,
    summary: "Change the caller's metadata, language or password",
    description: 'A new password requires the current one, and ends every other session.',
    response: CurrentUserDto,
    errors: ['validation_failed', 'weak_password', 'wrong_password', 'session_revoked', 'overloaded'],
  })
  @TakesBody('metadata')
  async update(
    @CurrentUser() caller: UserCaller,
    @Body() body: UpdateUserBody,
    @RequestOrigin() origin: Origin,
  ): Promise<CurrentUserDto> {
    return await this.profile.update(caller, toAccountPatch(body), origin);
  }

  @Endpoint.delete('', {
    access: 'user',
    ownAccount: true,
    summary: "Delete the caller's account, with its sessions and memberships",
    status: 204,
    errors: ['validation_failed', 'wrong_password', 'last_owner', 'session_revoked', 'overloaded'],
  })
  async delete(
    @CurrentUser() caller: UserCaller,
    @Body() { password }: DeleteUserBody,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    await this.deletion.delete(caller, password, origin);
  }

  @Endpoint.get('audit', {
    access: 'user',
    ownAccount: true,
    summary: "The audit entries of the caller's account, newest first",
    response: [AuditEntryDto],
    errors: ['validation_failed'],
  })
  async audit(@CurrentUser() caller: UserCaller, @Query() query: PageQuery): Promise<Page<AuditEntryDto>> {
    return (await this.profile.auditOf(caller.userId, query)).map(toAuditEntryDto);
  }
}
