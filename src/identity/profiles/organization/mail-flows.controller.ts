import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentUser, Endpoint, RequestOrigin } from '../../../http/index.js';
import type { Origin, UserCaller } from '../../../http/index.js';
import {
  byTokenOf,
  MailRequestBody,
  OneTimeTokenBody,
  ResendBody,
  TokenAndPasswordBody,
} from '../../credentials.js';
import { AddressVerification, VerificationMails } from '../../sign-in/methods/address-verification.js';
import { MailRequests } from '../../sign-in/methods/mail-requests.js';
import { Recovery } from '../../sign-in/methods/recovery.js';
import { DEPLOYMENT_REALM } from '../../users/user.repository.js';
import { TokenDto, toTokenDto } from './dto/tokens.js';
import { toUserDto, VerifiedDto } from './dto/user.js';

@ApiTags('Identity')
@Controller('auth/v1')
export class MailFlowsController {
  constructor(
    private readonly verification: AddressVerification,
    private readonly verificationMails: VerificationMails,
    private readonly requests: MailRequests,
    private readonly recovery: Recovery,
  ) {}

  @Endpoint.post('verify', {
    access: 'public',
    summary: 'Prove an e-mail address with the token of a mail',
    response: VerifiedDto,
    errors: ['validation_failed', 'invalid_token'],
  })
  async verify(@Body() { token }: OneTimeTokenBody, @RequestOrigin() origin: Origin): Promise<VerifiedDto> {
    return { user: toUserDto(await this.verification.verifyAddress(DEPLOYMENT_REALM, token, origin)) };
  }

  @Endpoint.post('verify/resend', {
    access: 'user',
    ownAccount: true,
    summary: 'Send the verification mail again',
    description:
      'Once in 60 s, the mail of the sign-up included; answered with 204 whether or not a mail leaves. The newest ' +
      'link alone works.',
    status: 204,
    errors: ['validation_failed'],
  })
  async resend(
    @CurrentUser() caller: UserCaller,
    @Body() body: ResendBody,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    await this.verificationMails.resend(caller.userId, body, origin);
  }

  @Endpoint.post('recover', {
    access: 'public',
    summary: 'Ask for a mail that leads to a new password',
    description:
      'The response is the same for known and unknown addresses. Each address gets at most one mail in 60 s.',
    status: 204,
    errors: ['validation_failed'],
  })
  async recover(@Body() body: MailRequestBody, @RequestOrigin() origin: Origin): Promise<void> {
    await this.requests.recovery(DEPLOYMENT_REALM, body, origin);
  }

  @Endpoint.post('recover/complete', {
    access: 'public',
    summary: 'Set a new password with the token of a mail, and sign in',
    description: 'Ends every other session; the address counts as verified.',
    response: TokenDto,
    errors: ['validation_failed', 'weak_password', 'invalid_token', 'second_factor_required', 'overloaded'],
  })
  async completeRecovery(
    @Body() body: TokenAndPasswordBody,
    @RequestOrigin() origin: Origin,
  ): Promise<TokenDto> {
    return toTokenDto(
      await this.recovery.complete({ ...byTokenOf(body), realmId: DEPLOYMENT_REALM, origin }),
    );
  }
}
