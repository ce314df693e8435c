import { applyDecorators, Body, Controller, Query, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiProduces, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Type } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AcceptsForm, Endpoint, RequestOrigin } from '../../../../platform/http/index.js';
import type { Origin } from '../../../../platform/http/index.js';
import { TokenAndPasswordForm, TokenForm } from '../dto/page-form.js';
import { InvitationPage } from './invitation-page.js';
import { PAGE_HEADERS } from './page-layout.js';
import type { PageAnswer } from './page-layout.js';
import { RecoverPage } from './recover-page.js';
import { VerifyPage } from './verify-page.js';

const DEAD_LINK =
  'A link that was used, replaced or has expired is answered with 400 and a page that says so.';

/** Mail scanners follow links: a page is shown any number of times and changes nothing. */
function Shows(path: string, what: string): MethodDecorator {
  return applyDecorators(
    Endpoint.get(path, {
      access: 'public',
      summary: `Page: ${what}`,
      description: `Shown any number of times; uses nothing up. ${DEAD_LINK}`,
      response: String,
    }),
    ApiProduces('text/html'),
    ApiQuery({ name: 'token', type: String }),
  );
}

/** The button of a page: it alone uses the token. */
function Submits(path: string, what: string, form: Type): MethodDecorator {
  return applyDecorators(
    Endpoint.post(path, {
      access: 'public',
      summary: `Page, submitted: ${what}`,
      description: `What the page's button sends. ${DEAD_LINK}`,
      response: String,
    }),
    AcceptsForm(),
    ApiConsumes('application/x-www-form-urlencoded'),
    ApiProduces('text/html'),
    ApiBody({ type: form }),
  );
}

async function send(reply: FastifyReply, { status, markup }: PageAnswer): Promise<void> {
  await reply.status(status).headers(PAGE_HEADERS).send(markup);
}

/** The pages that links in mail open. They need no script and load nothing. */
@ApiTags('Pages')
@Controller('auth/v1/pages')
export class PagesController {
  constructor(
    private readonly verifyPage: VerifyPage,
    private readonly recoverPage: RecoverPage,
    private readonly invitationPage: InvitationPage,
  ) {}

  @Shows('verify', 'confirm an e-mail address')
  async verify(@Query('token') token: unknown, @Res() reply: FastifyReply): Promise<void> {
    await send(reply, await this.verifyPage.show(token));
  }

  @Submits('verify', 'confirm an e-mail address', TokenForm)
  async submitVerify(
    @Body() body: unknown,
    @RequestOrigin() origin: Origin,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await send(reply, await this.verifyPage.submit(body, origin));
  }

  @Shows('recover', 'set a new password')
  async recover(@Query('token') token: unknown, @Res() reply: FastifyReply): Promise<void> {
    await send(reply, await this.recoverPage.show(token));
  }

  @Submits('recover', 'set a new password', TokenAndPasswordForm)
  async submitRecover(
    @Body() body: unknown,
    @RequestOrigin() origin: Origin,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await send(reply, await this.recoverPage.submit(body, origin));
  }

  @Shows('invitation', 'accept an invitation')
  async invitation(@Query('token') token: unknown, @Res() reply: FastifyReply): Promise<void> {
    await send(reply, await this.invitationPage.show(token));
  }

  @Submits('invitation', 'accept an invitation', TokenAndPasswordForm)
  async submitInvitation(
    @Body() body: unknown,
    @RequestOrigin() origin: Origin,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await send(reply, await this.invitationPage.submit(body, origin));
  }
}
