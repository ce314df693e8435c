import { Body, Controller } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentUser, Endpoint, RequestOrigin } from '../../http/index.js';
import type { Access, Origin, UserCaller } from '../../http/index.js';
import { AddressChangeDto } from '../address-changes/address-change.dto.js';
import { AddressChangeRequests } from '../address-changes/address-change-requests.js';
import { AddressChanges } from '../address-changes/address-changes.js';
import { MailRequestBody, OneTimeTokenBody } from '../credentials.js';
import { CurrentRealm } from './own-account-access.js';
import type { OwnAccountAccess } from './own-account-access.js';
import type { RealmId } from '../users/user.repository.js';

/**
 * The address of an account, for its user.
 * @param completion who may put a new address in force: whoever has the token of its mail
 */
export function emailController(access: OwnAccountAccess, completion: Access): Type {
  @ApiTags('Identity')
  @Controller('auth/v1/user/email')
  class EmailController {
    constructor(
      private readonly requests: AddressChangeRequests,
      private readonly changes: AddressChanges,
    ) {}

    @Endpoint.post('', {
      ...access,
      summary: 'Change the address of the account',
      description:
        'Needs a proof of the last 10 minutes. Sends a link to the new address, good for 24 hours, and a notice to the old one. ' +
        'The old address stays in force until the link is used. A new password voids it.',
      status: 202,
      response: AddressChangeDto,
      errors: [
        'validation_failed',
        'mail_not_configured',
        'session_revoked',
        'reauthentication_required',
        'overloaded',
      ],
    })
    async request(
      @CurrentUser() caller: UserCaller,
      @Body() body: MailRequestBody,
      @RequestOrigin() origin: Origin,
    ): Promise<AddressChangeDto> {
      const expiresAt = await this.requests.request(caller, body, origin);
      return { email: body.email, expires_at: expiresAt.toISOString() };
    }

    @Endpoint.post('complete', {
      access: completion,
      summary: 'Put a new address in force with the token of its mail',
      description: 'Links that were mailed to the old address are void from then on. Sessions stay.',
      status: 204,
      errors: ['validation_failed', 'invalid_token', 'email_taken'],
    })
    async complete(
      @CurrentRealm() realmId: RealmId,
      @Body() { token }: OneTimeTokenBody,
      @RequestOrigin() origin: Origin,
    ): Promise<void> {
      await this.changes.complete(realmId, token, origin);
    }
  }
  return EmailController;
}
