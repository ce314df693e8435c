import { Body, Controller, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { RequestOrigin } from '../../../../http/index.js';
import type { Origin } from '../../../../http/index.js';
import {
  ChangeEmailPage,
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
import { DEPLOYMENT_REALM } from '../../../users/user.repository.js';
import { InvitationPage } from './invitation-page.js';
import { VerifyPage } from './verify-page.js';

/** The pages that links in mail open. They need no script and load nothing. */
@ApiTags('Pages')
@Controller('auth/v1/pages')
export class PagesController {
  constructor(
    private readonly verifyPage: VerifyPage,
    private readonly recoverPage: RecoverPage,
    private readonly invitationPage: InvitationPage,
    private readonly changeEmailPage: ChangeEmailPage,
    private readonly newLinkPage: NewLinkPage,
    private readonly replies: PageReplies,
  ) {}

  @ShowsPage('verify', 'confirm an e-mail address')
  async verify(
    @Query('token') token: unknown,
    @RequestOrigin() origin: Origin,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(reply, origin, (view) => this.verifyPage.show(view, token));
  }

  @SubmitsPage('verify', 'confirm an e-mail address', TokenForm)
  async submitVerify(
    @Body() body: unknown,
    @RequestOrigin() origin: Origin,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(reply, origin, (view) => this.verifyPage.submit(view, body, origin));
  }

  @ShowsPage('recover', 'set a new password')
  async recover(
    @Query('token') token: unknown,
    @RequestOrigin() origin: Origin,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(reply, origin, (view) => this.recoverPage.show(view, DEPLOYMENT_REALM, token));
  }

  @SubmitsPage('recover', 'set a new password', TokenAndPasswordForm)
  async submitRecover(
    @Body() body: unknown,
    @RequestOrigin() origin: Origin,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(reply, origin, (view) => this.recoverPage.submit(view, DEPLOYMENT_REALM, body, origin));
  }

  @ShowsPage('change-email', 'confirm a new e-mail address')
  async changeEmail(
    @Query('token') token: unknown,
    @RequestOrigin() origin: Origin,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(reply, origin, (view) => this.changeEmailPage.show(view, DEPLOYMENT_REALM, token));
  }

  @SubmitsPage('change-email', 'confirm a new e-mail address', TokenForm)
  async submitChangeEmail(
    @Body() body: unknown,
    @RequestOrigin() origin: Origin,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(reply, origin, (view) =>
      this.changeEmailPage.submit(view, DEPLOYMENT_REALM, body, origin),
    );
  }

  @ShowsPage('invitation', 'accept an invitation')
  async invitation(
    @Query('token') token: unknown,
    @RequestOrigin() origin: Origin,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(reply, origin, (view) => this.invitationPage.show(view, token));
  }

  @SubmitsPage('invitation', 'accept an invitation', TokenAndPasswordForm)
  async submitInvitation(
    @Body() body: unknown,
    @RequestOrigin() origin: Origin,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(reply, origin, (view) => this.invitationPage.submit(view, body, origin));
  }

  @SubmitsNewLink(TokenForm)
  async sendNewLink(
    @Body() body: unknown,
    @RequestOrigin() origin: Origin,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(reply, origin, (view) => this.newLinkPage.submit(view, DEPLOYMENT_REALM, body, origin));
  }

  private async answer(
    reply: FastifyReply,
    origin: Origin,
    of: (view: PageView) => Promise<PageAnswer>,
  ): Promise<void> {
    await this.replies.answer(reply, DEPLOYMENT_REALM, origin, of);
  }
}
