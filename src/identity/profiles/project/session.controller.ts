import { Body, Controller, Req } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { CurrentProject, CurrentUser, Endpoint, RequestOrigin } from '../../../http/index.js';
import type { Origin, ResolvedProject, ServiceRequest, UserCaller } from '../../../http/index.js';
import { PasswordGrant, RefreshTokenGrant } from '../../credentials.js';
import {
  ProjectLogoutBody,
  ProjectSessionDto,
  ProjectTokenDto,
  ProjectUserDto,
  tokenRequestOf,
  toProjectSessionDto,
  toProjectUserDto,
  toTokenPairDto,
} from './dto/session.js';
import { realmOf, requireProjectKey } from './projects.js';
import { ProjectLogout, SessionGrants } from './session-grants.js';

@ApiTags('Identity')
@ApiExtraModels(PasswordGrant, RefreshTokenGrant)
@Controller('auth/v1')
export class ProjectSessionController {
  constructor(
    private readonly grants: SessionGrants,
    private readonly logout: ProjectLogout,
  ) {}

  @Endpoint.post('signup', {
    access: 'anon_key',
    summary: 'Create an account and sign it in',
    status: 201,
    response: ProjectSessionDto,
    description: 'Where `identity.sign_up` is not `open`, with the service key alone.',
    errors: ['validation_failed', 'weak_password', 'sign_up_closed', 'email_taken', 'overloaded'],
  })
  async signUp(
    @Req() { projectKey }: ServiceRequest,
    @CurrentProject() project: ResolvedProject,
    @Body() body: PasswordGrant,
    @RequestOrigin() origin: Origin,
  ): Promise<ProjectSessionDto> {
    return toProjectSessionDto(
      await this.grants.signUp(realmOf(project), body, projectKey?.role ?? 'anon', origin),
    );
  }

  @Endpoint.post('token', {
    access: 'project',
    summary: 'Sign in, or refresh',
    description:
      'With `email` and `password` a sign-in, which needs the anon key; with `refresh_token` alone a refresh, which ' +
      'answers the two tokens without `user`. A refresh token is good for one use.',
    response: ProjectTokenDto,
    errors: [
      'validation_failed',
      'unauthenticated',
      'project_key_required',
      'invalid_credentials',
      'invalid_refresh_token',
      'overloaded',
    ],
  })
  @ApiBody({
    schema: { oneOf: [{ $ref: getSchemaPath(PasswordGrant) }, { $ref: getSchemaPath(RefreshTokenGrant) }] },
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
      return toTokenPairDto(await this.grants.refresh(realmId, wanted.refreshToken, origin));
    requireProjectKey(request);
    return toProjectSessionDto(await this.grants.signIn(realmId, wanted, origin));
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

  @Endpoint.get('user', {
    access: 'project_user',
    ownAccount: true,
    summary: 'The caller',
    response: ProjectUserDto,
  })
  show(@CurrentUser() { userId, email }: UserCaller): ProjectUserDto {
    return toProjectUserDto({ id: userId, email });
  }
}
