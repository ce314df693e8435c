import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { actorOf } from '../../../audit/index.js';
import { CurrentOperator, Endpoint, RequestOrigin } from '../../../http/index.js';
import type { OperatorCaller, Origin } from '../../../http/index.js';
import { FactorDto, toFactorDto } from '../../factors/factor.dto.js';
import { DEPLOYMENT_REALM } from '../../users/user.repository.js';
import { SendUserMailBody, SetUserPasswordBody } from '../dto/managed-account.js';
import { ManagedFactors } from '../credentials/managed-factors.js';
import { ManagedMails } from '../mails/managed-mails.js';
import { ManagedPasswords } from '../credentials/managed-passwords.js';

/** The password, the second factors and the mails of a user, for the operator. */
@ApiTags('Operator')
@Controller('admin/v1/users/:id')
export class OperatorUserAccountController {
  constructor(
    private readonly passwords: ManagedPasswords,
    private readonly mails: ManagedMails,
    private readonly factors: ManagedFactors,
  ) {}

  @Endpoint.put('password', {
    access: 'operator',
    summary: 'Set the password of a user',
    description:
      'Ends every session with its access tokens and voids mailed links that sign in or set a password. A mail ' +
      'notifies the user. The address stays as verified or unverified as it was.',
    status: 204,
    errors: ['validation_failed', 'weak_password', 'user_not_found', 'overloaded'],
  })
  async setPassword(
    @Param('id') userId: string,
    @Body() { password }: SetUserPasswordBody,
    @CurrentOperator() operator: OperatorCaller,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    await this.passwords.set({ realm: DEPLOYMENT_REALM, userId, actor: actorOf(operator), origin }, password);
  }

  @Endpoint.delete('password', {
    access: 'operator',
    summary: 'Remove the password of a user',
    description:
      'As setting it, but the user can sign in again only after a recovery. Repeating it changes nothing.',
    status: 204,
    errors: ['user_not_found', 'overloaded'],
  })
  async removePassword(
    @Param('id') userId: string,
    @CurrentOperator() operator: OperatorCaller,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    await this.passwords.remove({ realm: DEPLOYMENT_REALM, userId, actor: actorOf(operator), origin });
  }

  @Endpoint.get('factors', {
    access: 'operator',
    summary: 'Second factors of a user',
    description: 'All that are in force, at most 10, the oldest first.',
    response: [FactorDto],
    errors: ['user_not_found'],
  })
  async listFactors(@Param('id') userId: string): Promise<FactorDto[]> {
    return (await this.factors.list({ realm: DEPLOYMENT_REALM, userId })).map(toFactorDto);
  }

  @Endpoint.delete('factors', {
    access: 'operator',
    summary: 'Remove all second factors of a user',
    description:
      'For who has lost them. Recovery codes go with them, and every session ends with its access tokens. The user is ' +
      'notified by mail. Repeating it changes nothing.',
    status: 204,
    errors: ['user_not_found', 'overloaded'],
  })
  async resetFactors(
    @Param('id') userId: string,
    @CurrentOperator() operator: OperatorCaller,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    await this.factors.reset({ realm: DEPLOYMENT_REALM, userId, actor: actorOf(operator), origin });
  }

  @Endpoint.post('mails', {
    access: 'operator',
    summary: 'Send a verification or recovery mail to a user',
    description:
      'The limits on mails to a recipient apply; past them the answer is 429. Only the newest link works.',
    status: 204,
    errors: [
      'validation_failed',
      'user_not_found',
      'user_disabled',
      'email_already_verified',
      'mail_not_configured',
      'rate_limited',
      'overloaded',
    ],
  })
  async sendMail(
    @Param('id') userId: string,
    @Body() body: SendUserMailBody,
    @CurrentOperator() operator: OperatorCaller,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    await this.mails.send({ realm: DEPLOYMENT_REALM, userId, actor: actorOf(operator), origin }, body);
  }
}
