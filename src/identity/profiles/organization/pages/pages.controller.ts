import { Body, Controller, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { RequestOrigin } from '../../../../http/index.js';
import type { Origin } from '../../../../http/index.js';
import {
  PageReplies,
  RecoverPage,
  ShowsPage,
  SubmitsPage,
  TokenAndPasswordForm,
  TokenForm,
} from '../../../pages/index.js';
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
    private readonly replies: PageReplies,
  ) {}

  @ShowsPage('verify', 'confirm an e-mail address')
  async verify(@Query('token') token: unknown, @Res() reply: FastifyReply): Promise<void> {
    await this.replies.send(reply, await this.verifyPage.show(token));
  }

  @SubmitsPage('verify', 'confirm an e-mail address', TokenForm)
  async submitVerify(
    @Body() body: unknown,
    @RequestOrigin() origin: Origin,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.replies.send(reply, await this.verifyPage.submit(body, origin));
  }

  @ShowsPage('recover', 'set a new password')
  async recover(@Query('token') token: unknown, @Res() reply: FastifyReply): Promise<void> {
    await this.replies.send(reply, await this.recoverPage.show(DEPLOYMENT_REALM, token));
  }

  @SubmitsPage('recover', 'set a new password', TokenAndPasswordForm)
  async submitRecover(
    @Body() body: unknown,
    @RequestOrigin() origin: Origin,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.replies.send(reply, await this.recoverPage.submit(DEPLOYMENT_REALM, body, origin));
  }

  @ShowsPage('invitation', 'accept an invitation')
  async invitation(@Query('token') token: unknown, @Res() reply: FastifyReply): Promise<void> {
    await this.replies.send(reply, await this.invitationPage.show(token));
  }

  @SubmitsPage('invitation', 'accept an invitation', TokenAndPasswordForm)
  async submitInvitation(
    @Body() body: unknown,
    @RequestOrigin() origin: Origin,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.replies.send(reply, await this.invitationPage.submit(body, origin));
  }
}
