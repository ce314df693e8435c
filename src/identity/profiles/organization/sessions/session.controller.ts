import { Body, Controller, Query } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiQuery, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { Endpoint, RequestOrigin, TakesBody } from '../../../../http/index.js';
import type { Origin } from '../../../../http/index.js';
import { CodeGrant, PasswordGrant, RefreshTokenGrant } from '../../../credentials.js';
import { SecondFactorGrant } from '../../../factors/factor.dto.js';
import {
  PasskeyGrant,
  PasskeySignInOptionsDto,
  toPasskeySignInOptionsDto,
} from '../../../factors/passkey.dto.js';
import { SignInGrants } from '../../../sign-in/sign-in-grants.js';
import { DEPLOYMENT_REALM } from '../../../users/user.repository.js';
import { SignUpBody } from '../dto/account.js';
import { SignedUpDto, TokenDto, toSignedUpDto, toTokenDto } from '../dto/tokens.js';
import { TokenGrants } from './token-grants.js';

@ApiTags('Identity')
@ApiExtraModels(PasswordGrant, RefreshTokenGrant, SecondFactorGrant, PasskeyGrant, CodeGrant)
@Controller('auth/v1')
export class SessionController {
  constructor(
    private readonly grants: TokenGrants,
    private readonly signIns: SignInGrants,
  ) {}

  @Endpoint.post('signup', {
    access: 'public',
    summary: 'Create an account and sign it in',
    status: 201,
    response: SignedUpDto,
    errors: ['validation_failed', 'weak_password', 'sign_up_closed', 'email_taken', 'overloaded'],
  })
  @TakesBody('metadata')
  async signUp(@Body() body: SignUpBody, @RequestOrigin() origin: Origin): Promise<SignedUpDto> {
    return toSignedUpDto(await this.grants.signUp(body, origin));
  }

  @Endpoint.post('token', {
    access: 'public',
    ignoresUnread: true,
    summary: 'Sign in, or refresh',
    description:
      'A refresh token is good for one use; using it again ends the session. Where a second factor is in force, a ' +
      'sign-in answers 401 `second_factor_required` with a challenge, which `grant_type=second_factor` completes. A passkey ' +
      'alone signs in with `grant_type=passkey`, after `POST /auth/v1/passkeys/options`. ' +
      '`grant_type=code` takes the code that the page of a mail added to its redirect URL.',
    response: TokenDto,
    errors: [
      'unsupported_grant_type',
      'validation_failed',
      'invalid_credentials',
      'invalid_refresh_token',
      'refresh_token_reused',
      'session_revoked',
      'second_factor_required',
      'invalid_challenge',
      'invalid_second_factor',
      'invalid_passkey',
      'invalid_code',
      'overloaded',
    ],
  })
  @ApiQuery({ name: 'grant_type', enum: ['password', 'refresh_token', 'second_factor', 'passkey', 'code'] })
  @ApiBody({
    schema: {
      oneOf: [PasswordGrant, RefreshTokenGrant, SecondFactorGrant, PasskeyGrant, CodeGrant].map((grant) => ({
        $ref: getSchemaPath(grant),
      })),
    },
  })
  async token(
    @Query('grant_type') grantType: unknown,
    @Body() body: unknown,
    @RequestOrigin() origin: Origin,
  ): Promise<TokenDto> {
    return toTokenDto(await this.grants.grant(grantType, body, origin));
  }

  @Endpoint.post('passkeys/options', {
    access: 'public',
    summary: 'Begin to sign in by a passkey',
    description:
      'What `navigator.credentials.get` takes as `publicKey`, in JSON, for a passkey of any account. The answer depends on no ' +
      'account, and nothing is stored.',
    status: 200,
    response: PasskeySignInOptionsDto,
  })
  async passkeyOptions(): Promise<PasskeySignInOptionsDto> {
    return toPasskeySignInOptionsDto(await this.signIns.passkeyOptions(DEPLOYMENT_REALM));
  }
}
