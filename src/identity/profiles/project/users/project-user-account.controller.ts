import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { actorOf } from '../../../../audit/index.js';
import { CurrentCaller, CurrentProject, Endpoint, RequestOrigin } from '../../../../http/index.js';
import type { Caller, Origin, ResolvedProject } from '../../../../http/index.js';
import { FactorDto, toFactorDto } from '../../../factors/factor.dto.js';
import {
  ManagedFactors,
  ManagedMails,
  ManagedPasswords,
  SetUserPasswordBody,
} from '../../../managed-accounts/index.js';
import { realmOf } from '../../../own-account/own-account-access.js';
import { SendProjectUserMailBody } from './dto.js';

/** The password, the second factors and the mails of a user of a project, for the holder of its service key. */
@ApiTags('Users')
@Controller('auth/v1/users/:id')
export class ProjectUserAccountController {
  constructor(
    private readonly passwords: ManagedPasswords,
    private readonly mails: ManagedMails,
    private readonly factors: ManagedFactors,
  ) {}

  @Endpoint.put('password', {
    access: 'service_key',
    summary: 'Set the password of a user',
    description:
      'Ends every session with its access tokens and voids mailed links that sign in or set a password. A mail ' +
      'notifies the user. The address stays as verified or unverified as it was.',
    status: 204,
    errors: ['validation_failed', 'weak_password', 'user_not_found'],
  })
  async setPassword(
    @CurrentProject() project: ResolvedProject,
    @CurrentCaller() caller: Caller,
    @Param('id') userId: string,
    @Body() { password }: SetUserPasswordBody,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    const act = { realm: realmOf(project), userId, actor: actorOf(caller), origin };
    await this.passwords.set(act, password);
  }

  @Endpoint.delete('password', {
    access: 'service_key',
    summary: 'Remove the password of a user',
    description:
      'As setting it, but the user can sign in again only by a magic link or a recovery. Repeating it changes nothing.',
    status: 204,
    errors: ['user_not_found'],
  })
  async removePassword(
    @CurrentProject() project: ResolvedProject,
    @CurrentCaller() caller: Caller,
    @Param('id') userId: string,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    await this.passwords.remove({ realm: realmOf(project), userId, actor: actorOf(caller), origin });
  }

  @Endpoint.get('factors', {
    access: 'service_key',
    summary: 'Second factors of a user',
    description: 'All that are in force, at most 10, the oldest first.',
    response: [FactorDto],
    errors: ['user_not_found'],
  })
  async listFactors(
    @CurrentProject() project: ResolvedProject,
    @Param('id') userId: string,
  ): Promise<FactorDto[]> {
    return (await this.factors.list({ realm: realmOf(project), userId })).map(toFactorDto);
  }

  @Endpoint.delete('factors', {
    access: 'service_key',
    summary: 'Remove all second factors of a user',
    description:
      'For who has lost them. Recovery codes go with them, and every session ends with its access tokens. The user is ' +
      'notified by mail. Repeating it changes nothing.',
    status: 204,
    errors: ['user_not_found'],
  })
  async resetFactors(
    @CurrentProject() project: ResolvedProject,
    @CurrentCaller() caller: Caller,
    @Param('id') userId: string,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    await this.factors.reset({ realm: realmOf(project), userId, actor: actorOf(caller), origin });
  }

  @Endpoint.post('mails', {
    access: 'service_key',
    summary: 'Send a magic link or a recovery mail to a user',
    description:
      'The limits on mails to a recipient apply; past them the answer is 429. Only the newest link works.',
    status: 204,
    errors: ['validation_failed', 'user_not_found', 'user_disabled', 'mail_not_configured', 'rate_limited'],
  })
  async sendMail(
    @CurrentProject() project: ResolvedProject,
    @CurrentCaller() caller: Caller,
    @Param('id') userId: string,
    @Body() body: SendProjectUserMailBody,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    const act = { realm: realmOf(project), userId, actor: actorOf(caller), origin };
    await this.mails.send(act, body);
  }
}
