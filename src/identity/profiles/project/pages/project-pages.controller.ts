import { Body, Controller, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { RequestOrigin } from '../../../../http/index.js';
import type { Origin, ResolvedProject } from '../../../../http/index.js';
import {
  ChangeEmailPage,
  deadLink,
  NewLinkPage,
  PageReplies,
  RecoverPage,
  ShowsPage,
  SubmitsNewLink,
  SubmitsPage,
  TokenAndPasswordForm,
  TokenForm,
} from '../../../pages/index.js';
import type { PageAnswer, PageView } from '../../../pages/index.js';
import { ProjectNames } from '../projects.js';
import { realmOf } from '../../../own-account/own-account-access.js';
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
    private readonly changeEmailPage: ChangeEmailPage,
    private readonly newLinkPage: NewLinkPage,
    private readonly replies: PageReplies,
  ) {}

  @ShowsPage('magic-link', 'sign in')
  async magicLink(
    @Param('ref') ref: string,
    @Query('token') token: unknown,
    @RequestOrigin() origin: Origin,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(reply, ref, origin, (view, project) => this.magicLinkPage.show(view, project, token));
  }

  @SubmitsPage('magic-link', 'sign in', TokenForm)
  async submitMagicLink(
    @Param('ref') ref: string,
    @Body() body: unknown,
    @RequestOrigin() origin: Origin,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(reply, ref, origin, (view, project) =>
      this.magicLinkPage.submit(view, project, body, origin),
    );
  }

  @ShowsPage('recover', 'set a new password')
  async recover(
    @Param('ref') ref: string,
    @Query('token') token: unknown,
    @RequestOrigin() origin: Origin,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(reply, ref, origin, (view, project) =>
      this.recoverPage.show(view, realmOf(project), token),
    );
  }

  @SubmitsPage('recover', 'set a new password', TokenAndPasswordForm)
  async submitRecover(
    @Param('ref') ref: string,
    @Body() body: unknown,
    @RequestOrigin() origin: Origin,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(reply, ref, origin, (view, project) =>
      this.recoverPage.submit(view, realmOf(project), body, origin),
    );
  }

  @ShowsPage('invite', 'accept an invitation')
  async invite(
    @Param('ref') ref: string,
    @Query('token') token: unknown,
    @RequestOrigin() origin: Origin,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(reply, ref, origin, (view, project) => this.invitePage.show(view, project, token));
  }

  @SubmitsPage('invite', 'accept an invitation', TokenAndPasswordForm)
  async submitInvite(
    @Param('ref') ref: string,
    @Body() body: unknown,
    @RequestOrigin() origin: Origin,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(reply, ref, origin, (view, project) =>
      this.invitePage.submit(view, project, body, origin),
    );
  }

  @ShowsPage('change-email', 'confirm a new e-mail address')
  async changeEmail(
    @Param('ref') ref: string,
    @Query('token') token: unknown,
    @RequestOrigin() origin: Origin,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(reply, ref, origin, (view, project) =>
      this.changeEmailPage.show(view, realmOf(project), token),
    );
  }

  @SubmitsPage('change-email', 'confirm a new e-mail address', TokenForm)
  async submitChangeEmail(
    @Param('ref') ref: string,
    @Body() body: unknown,
    @RequestOrigin() origin: Origin,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(reply, ref, origin, (view, project) =>
      this.changeEmailPage.submit(view, realmOf(project), body, origin),
    );
  }

  @SubmitsNewLink(TokenForm)
  async sendNewLink(
    @Param('ref') ref: string,
    @Body() body: unknown,
    @RequestOrigin() origin: Origin,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(reply, ref, origin, (view, project) =>
      this.newLinkPage.submit(view, realmOf(project), body, origin),
    );
  }

  private async answer(
    reply: FastifyReply,
    ref: string,
    origin: Origin,
    of: (view: PageView, project: ResolvedProject) => Promise<PageAnswer>,
  ): Promise<void> {
    const project = await this.projects.findByRef(ref);
    const realmId = project === null ? null : realmOf(project);
    await this.replies.answer(reply, realmId, origin, async (view) =>
      project === null ? deadLink(view, view.text('page.dead_link.next')) : await of(view, project),
    );
  }
}
