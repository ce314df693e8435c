import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentCaller, CurrentProject, Endpoint, RequestOrigin } from '../../../http/index.js';
import type { Caller, Origin, ResolvedProject } from '../../../http/index.js';
import { byTokenOf, MailRequestBody, TokenAndPasswordBody, TokenSignInBody } from '../../credentials.js';
import { MagicLinks } from '../../sign-in/methods/magic-links.js';
import { MailRequests } from '../../sign-in/methods/mail-requests.js';
import { Recovery } from '../../sign-in/methods/recovery.js';
import { OK, OkDto, ProjectSessionDto, toProjectSessionDto } from './dto/session.js';
import { isServiceKey } from './projects.js';
import { realmOf } from '../../own-account/own-account-access.js';

@ApiTags('Identity')
@Controller('auth/v1')
export class ProjectMailFlowsController {
  constructor(
    private readonly requests: MailRequests,
    private readonly magicLinks: MagicLinks,
    private readonly recovery: Recovery,
  ) {}

  @Endpoint.post('magic-link', {
    access: 'anon_key',
    summary: 'Ask for a mail that signs in',
    description:
      'Answered alike, and in the same time, whether or not the address has an account; it gets one. The link is ' +
      'good for 15 minutes. One mail in 60 s for each address.',
    response: OkDto,
    errors: ['validation_failed'],
  })
  async requestMagicLink(
    @CurrentProject() project: ResolvedProject,
    @CurrentCaller() caller: Caller,
    @Body() body: MailRequestBody,
    @RequestOrigin() origin: Origin,
  ): Promise<OkDto> {
    await this.requests.magicLink(realmOf(project), body, isServiceKey(caller), origin);
    return OK;
  }

  @Endpoint.post('verify', {
    access: 'project',
    summary: 'Sign in with the token of a magic link',
    response: ProjectSessionDto,
    errors: ['validation_failed', 'invalid_token', 'second_factor_required'],
  })
  async verify(
    @CurrentProject() project: ResolvedProject,
    @Body() { token, code_verifier: verifier }: TokenSignInBody,
    @RequestOrigin() origin: Origin,
  ): Promise<ProjectSessionDto> {
    return toProjectSessionDto(
      await this.magicLinks.signIn(realmOf(project), token, verifier ?? null, origin),
    );
  }

  @Endpoint.post('recover', {
    access: 'project',
    summary: 'Ask for a mail that leads to a new password',
    description:
      'Answered alike, and in the same time, for known and unknown addresses. One mail in 60 s for each address.',
    response: OkDto,
    errors: ['validation_failed'],
  })
  async recover(
    @CurrentProject() project: ResolvedProject,
    @Body() body: MailRequestBody,
    @RequestOrigin() origin: Origin,
  ): Promise<OkDto> {
    await this.requests.recovery(realmOf(project), body, origin);
    return OK;
  }

  @Endpoint.post('recover/complete', {
    access: 'project',
    summary: 'Set a new password with the token of a mail, and sign in',
    description: 'Ends every other session.',
    response: ProjectSessionDto,
    errors: ['validation_failed', 'weak_password', 'invalid_token', 'second_factor_required', 'overloaded'],
  })
  async completeRecovery(
    @CurrentProject() project: ResolvedProject,
    @Body() body: TokenAndPasswordBody,
    @RequestOrigin() origin: Origin,
  ): Promise<ProjectSessionDto> {
    return toProjectSessionDto(
      await this.recovery.complete({ ...byTokenOf(body), realmId: realmOf(project), origin }),
    );
  }
}
