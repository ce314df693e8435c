import { Body, Controller, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { RequestOrigin } from '../../../../http/index.js';
import type { Origin, ResolvedProject } from '../../../../http/index.js';
import {
  deadLink,
  PageReplies,
  RecoverPage,
  ShowsPage,
  SubmitsPage,
  TokenAndPasswordForm,
  TokenForm,
} from '../../../pages/index.js';
import type { PageAnswer } from '../../../pages/index.js';
import { ProjectNames, realmOf } from '../projects.js';
import { InvitePage } from './invite-page.js';
import { MagicLinkPage } from './magic-link-page.js';

/**
 * The pages that links in mail open. They lie under `identity.public_url`, so that the path and not the host names
 * the project. They need no script and load nothing.
 */
@ApiTags('Pages')
@Controller('auth/v1/pages/:ref')
export class ProjectPagesController {
  constructor(
    private readonly projects: ProjectNames,
    private readonly magicLinkPage: MagicLinkPage,
    private readonly recoverPage: RecoverPage,
    private readonly invitePage: InvitePage,
    private readonly replies: PageReplies,
  ) {}

  @ShowsPage('magic-link', 'sign in')
  async magicLink(
    @Param('ref') ref: string,
    @Query('token') token: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(reply, ref, (project) => this.magicLinkPage.show(project, token));
  }

  @SubmitsPage('magic-link', 'sign in', TokenForm)
  async submitMagicLink(
    @Param('ref') ref: string,
    @Body() body: unknown,
    @RequestOrigin() origin: Origin,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(reply, ref, (project) => this.magicLinkPage.submit(project, body, origin));
  }

  @ShowsPage('recover', 'set a new password')
  async recover(
    @Param('ref') ref: string,
    @Query('token') token: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(reply, ref, (project) => this.recoverPage.show(realmOf(project), token));
  }

  @SubmitsPage('recover', 'set a new password', TokenAndPasswordForm)
  async submitRecover(
    @Param('ref') ref: string,
    @Body() body: unknown,
    @RequestOrigin() origin: Origin,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(reply, ref, (project) => this.recoverPage.submit(realmOf(project), body, origin));
  }

  @ShowsPage('invite', 'accept an invitation')
  async invite(
    @Param('ref') ref: string,
    @Query('token') token: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(reply, ref, (project) => this.invitePage.show(project, token));
  }

  @SubmitsPage('invite', 'accept an invitation', TokenAndPasswordForm)
  async submitInvite(
    @Param('ref') ref: string,
    @Body() body: unknown,
    @RequestOrigin() origin: Origin,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(reply, ref, (project) => this.invitePage.submit(project, body, origin));
  }

  private async answer(
    reply: FastifyReply,
    ref: string,
    of: (project: ResolvedProject) => Promise<PageAnswer>,
  ): Promise<void> {
    const project = await this.projects.findByRef(ref);
    await this.replies.send(reply, project === null ? deadLink('Ask for a new mail.') : await of(project));
  }
}
