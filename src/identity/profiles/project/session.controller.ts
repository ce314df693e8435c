import { Body, Controller, Req } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { CurrentProject, CurrentUser, Endpoint, RequestOrigin } from '../../../http/index.js';
import type { Origin, ResolvedProject, ServiceRequest, UserCaller } from '../../../http/index.js';
import { CodeGrant, PasswordGrant, RefreshTokenGrant } from '../../credentials.js';
import { SecondFactorGrant } from '../../factors/factor.dto.js';
import {
  PasskeyGrant,
  PasskeySignInOptionsDto,
  toPasskeySignInOptionsDto,
} from '../../factors/passkey.dto.js';
import { Sessions } from '../../sessions/sessions.js';
import { UserSessions } from '../../sessions/user-sessions.js';
import { SignInGrants } from '../../sign-in/sign-in-grants.js';
import {
  ProjectLogoutBody,
  ProjectSessionDto,
  ProjectSignUpBody,
  ProjectTokenDto,
  tokenRequestOf,
  toProjectSessionDto,
  toTokenPairDto,
} from './dto/session.js';
import { ProjectLogout } from './project-logout.js';
import { ProjectSignUp } from './project-sign-up.js';
import { OWN_ACCOUNT, requireProjectKey } from './projects.js';
import { realmOf } from '../../own-account/own-account-access.js';

@ApiTags('Identity')
@ApiExtraModels(PasswordGrant, RefreshTokenGrant, SecondFactorGrant, PasskeyGrant, CodeGrant)
@Controller('auth/v1')
export class ProjectSessionController {
  constructor(
    private readonly registration: ProjectSignUp,
    private readonly signIns: SignInGrants,
    private readonly sessions: Sessions,
    private readonly userSessions: UserSessions,
    private readonly logout: ProjectLogout,
  ) {}

  @Endpoint.post('signup', {
    access: 'anon_key',
    summary: 'Create an account and sign it in',
    status: 201,
    response: ProjectSessionDto,
    description: 'Where `identity.sign_up` is not `open`, with the service key alone.',
    errors: [
      'validation_failed',
      'weak_password',
      'sign_up_closed',
      'email_taken',
      'second_factor_required',
      'overloaded',
    ],
  })
  async signUp(
    @Req() { projectKey }: ServiceRequest,
    @CurrentProject() project: ResolvedProject,
    @Body() body: ProjectSignUpBody,
    @RequestOrigin() origin: Origin,
  ): Promise<ProjectSessionDto> {
    return toProjectSessionDto(
      await this.registration.signUp(realmOf(project), body, projectKey?.role ?? 'anon', origin),
    );
  }

  @Endpoint.post('token', {
    access: 'project',
    ignoresUnread: true,
    summary: 'Sign in, or refresh',
    description:
      'With `email` and `password` a sign-in, which needs the anon key; with `refresh_token` alone a refresh, which ' +
      'answers the two tokens without `user`. A refresh token is good for one use. Where a second factor is in force, a ' +
      'sign-in answers 401 `second_factor_required` with a challenge, which `challenge_token` completes. With the ' +
      '`challenge_token` of `POST /auth/v1/passkeys/options`, a passkey alone signs in. ' +
      'With `code` a sign-in by what the page of a mail added to its redirect URL.',
    response: ProjectTokenDto,
    errors: [
      'validation_failed',
      'unauthenticated',
      'project_key_required',
      'invalid_credentials',
      'invalid_refresh_token',
      'second_factor_required',
      'invalid_challenge',
      'invalid_second_factor',
      'invalid_passkey',
      'invalid_code',
      'overloaded',
    ],
  })
  @ApiBody({
    schema: {
      oneOf: [PasswordGrant, RefreshTokenGrant, SecondFactorGrant, PasskeyGrant, CodeGrant].map((grant) => ({
        $ref: getSchemaPath(grant),
      })),
    },
  })
  async token(
    @Req() request: ServiceRequest,
    @CurrentProject() project: ResolvedProject,
    @Body() body: unknown,
    @RequestOrigin() origin: Origin,
  ): Promise<ProjectTokenDto> {
    const wanted = await tokenRequestOf(body);
    const realmId = realmOf(project);
    if (wanted.kind === 'refresh')
      return toTokenPairDto(await this.sessions.refresh(realmId, wanted.refreshToken, origin));
    requireProjectKey(request);
    if (wanted.kind === 'passkey')
      return toProjectSessionDto(await this.signIns.byPasskey(realmId, wanted.grant, origin));
    if (wanted.kind === 'second_factor')
      return toProjectSessionDto(await this.signIns.bySecondFactor(realmId, wanted.grant, origin));
    if (wanted.kind === 'code')
      return toProjectSessionDto(await this.signIns.byCode(realmId, wanted.grant, origin));
    return toProjectSessionDto(await this.signIns.byPassword(realmId, wanted, origin));
  }

  @Endpoint.post('passkeys/options', {
    access: 'anon_key',
    summary: 'Begin to sign in by a passkey',
    description:
      'What `navigator.credentials.get` takes as `publicKey`, in JSON, for a passkey of any account of the project. The ' +
      'answer depends on no account, and nothing is stored.',
    status: 200,
    response: PasskeySignInOptionsDto,
  })
  async passkeyOptions(@CurrentProject() project: ResolvedProject): Promise<PasskeySignInOptionsDto> {
    return toPasskeySignInOptionsDto(await this.signIns.passkeyOptions(realmOf(project)));
  }

  @Endpoint.post('logout', {
    access: 'project',
    summary: 'End a session',
    description:
      'By `refresh_token` in the body, or else by access token. An unknown refresh token is answered with 204 as ' +
      'well. The access token lives on until it expires.',
    status: 204,
    errors: ['validation_failed', 'unauthenticated'],
  })
  async logOut(
    @Req() { caller }: ServiceRequest,
    @CurrentProject() project: ResolvedProject,
    @Body() body: ProjectLogoutBody,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    await this.logout.logOut(realmOf(project), caller, body, origin);
  }
  @Endpoint.delete('sessions', {
    ...OWN_ACCOUNT,
    summary: "End the caller's other sessions",
    description: 'Access tokens live on until they expire.',
    status: 204,
    errors: ['session_revoked', 'overloaded'],
  })
  async endOthers(@CurrentUser() caller: UserCaller, @RequestOrigin() origin: Origin): Promise<void> {
    await this.userSessions.logout(caller, 'others', origin);
  }
}
