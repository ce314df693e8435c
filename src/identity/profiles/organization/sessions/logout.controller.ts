import { Body, Controller, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint, RequestOrigin } from '../../../../http/index.js';
import type { Origin, ServiceRequest } from '../../../../http/index.js';
import { LogoutBody } from '../dto/account.js';
import { Logout } from './logout.js';

@ApiTags('Identity')
@Controller('auth/v1')
export class LogoutController {
  constructor(private readonly logout: Logout) {}

  @Endpoint.post('logout', {
    access: 'optional',
    summary: 'End this session, the other ones, or all',
    description:
      'By access token, or by `refresh_token` in the body, whose session counts when both are sent. An ' +
      'unknown refresh token is answered with 204 as well, and so is a session that has ended, with `local`; it ends no ' +
      'other one. Access tokens live on until they expire.',
    status: 204,
    errors: ['validation_failed', 'unauthenticated', 'user_required', 'session_revoked'],
  })
  async logOut(
    @Req() { caller }: ServiceRequest,
    @Body() body: LogoutBody,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    await this.logout.logOut(caller, body, origin);
  }
}
