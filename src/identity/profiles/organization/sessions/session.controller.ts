import { Body, Controller, Query } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiQuery, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { Endpoint, RequestOrigin } from '../../../../http/index.js';
import type { Origin } from '../../../../http/index.js';
import { PasswordGrant, RefreshTokenGrant } from '../../../credentials.js';
import { SignUpBody } from '../dto/account.js';
import { SignedUpDto, TokenDto, toSignedUpDto, toTokenDto } from '../dto/tokens.js';
import { TokenGrants } from './token-grants.js';

@ApiTags('Identity')
@ApiExtraModels(PasswordGrant, RefreshTokenGrant)
@Controller('auth/v1')
export class SessionController {
  constructor(private readonly grants: TokenGrants) {}

  @Endpoint.post('signup', {
    access: 'public',
    summary: 'Create an account and sign it in',
    status: 201,
    response: SignedUpDto,
    errors: ['validation_failed', 'weak_password', 'sign_up_closed', 'email_taken', 'overloaded'],
  })
  async signUp(@Body() body: SignUpBody, @RequestOrigin() origin: Origin): Promise<SignedUpDto> {
    return toSignedUpDto(await this.grants.signUp(body, origin));
  }

  @Endpoint.post('token', {
    access: 'public',
    summary: 'Sign in, or refresh',
    description: 'A refresh token is good for one use; using it again ends the session.',
    response: TokenDto,
    errors: [
      'unsupported_grant_type',
      'validation_failed',
      'invalid_credentials',
      'invalid_refresh_token',
      'refresh_token_reused',
      'session_revoked',
      'overloaded',
    ],
  })
  @ApiQuery({ name: 'grant_type', enum: ['password', 'refresh_token'] })
  @ApiBody({
    schema: { oneOf: [{ $ref: getSchemaPath(PasswordGrant) }, { $ref: getSchemaPath(RefreshTokenGrant) }] },
  })
  async token(
    @Query('grant_type') grantType: unknown,
    @Body() body: unknown,
    @RequestOrigin() origin: Origin,
  ): Promise<TokenDto> {
    return toTokenDto(await this.grants.grant(grantType, body, origin));
  }
}
