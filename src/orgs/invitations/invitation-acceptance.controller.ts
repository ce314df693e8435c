import { Body, Controller, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint, RequestOrigin } from '../../http/index.js';
import type { Origin, ServiceRequest } from '../../http/index.js';
import { AcceptedInvitationDto, AcceptInvitationBody, toAcceptedInvitationDto } from './dto/invitation.js';
import { InvitationAcceptance } from './invitation-acceptance.js';

@ApiTags('Invitations')
@Controller('auth/v1/invitations')
export class InvitationAcceptanceController {
  constructor(private readonly acceptance: InvitationAcceptance) {}

  @Endpoint.post('accept', {
    access: 'optional',
    summary: 'Accept an invitation',
    description:
      'With a password where the invited address has no account yet: it makes one and signs it in. ' +
      'Else with the access token of its account. An invitation that was mailed, and whose link no answer has ' +
      'shown, proves the address: an account that had not proven it loses its password, sessions and access tokens ' +
      'and is handed over with a new `session`, for which a `password` does as well as the access token.',
    response: AcceptedInvitationDto,
    errors: [
      'validation_failed',
      'weak_password',
      'invalid_token',
      'sign_in_required',
      'wrong_account',
      'email_not_verified',
      'sign_up_closed',
      'user_required',
      'role_deleted',
      'invitation_void',
      'session_revoked',
      'limit_reached',
      'rate_limited',
      'overloaded',
    ],
  })
  async accept(
    @Body() { token, password = null }: AcceptInvitationBody,
    @Req() request: ServiceRequest,
    @RequestOrigin() origin: Origin,
  ): Promise<AcceptedInvitationDto> {
    const caller = request.caller ?? null;
    return toAcceptedInvitationDto(await this.acceptance.accept(token, { password, caller, origin }));
  }
}
