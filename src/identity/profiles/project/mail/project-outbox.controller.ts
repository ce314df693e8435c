import { Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { actorOf } from '../../../../audit/index.js';
import { CurrentCaller, CurrentProject, Endpoint, RequestOrigin } from '../../../../http/index.js';
import type { Caller, Origin, Page, ResolvedProject } from '../../../../http/index.js';
import {
  MailDto,
  MailQuery,
  ManagedOutbox,
  RETRY_ERRORS,
  RETRY_MAIL,
  toMailDto,
} from '../../../managed-accounts/index.js';
import { realmOf } from '../../../own-account/own-account-access.js';

/** The mail outbox of a project. */
@ApiTags('Project settings')
@Controller('auth/v1/mail/outbox')
export class ProjectOutboxController {
  constructor(private readonly outbox: ManagedOutbox) {}

  @Endpoint.get('', {
    access: 'service_key',
    summary: "The project's mails that wait, were sent or failed, newest first",
    description:
      'With what the mail server answered, and without subject and text. A finished mail is listed for as long as the ' +
      'operator has configured (`identity.mail_history_days`) and its user exists. An invitation is sent while its ' +
      'request waits, and listed once the mail server has accepted it. Test messages are not listed.',
    response: [MailDto],
    errors: ['validation_failed'],
  })
  async list(@CurrentProject() project: ResolvedProject, @Query() query: MailQuery): Promise<Page<MailDto>> {
    return (await this.outbox.page(realmOf(project), query)).map(toMailDto);
  }

  @Endpoint.post(':id/retry', {
    access: 'service_key',
    summary: 'Send a mail again',
    description: RETRY_MAIL,
    status: 202,
    response: MailDto,
    errors: [...RETRY_ERRORS],
  })
  async retry(
    @CurrentProject() project: ResolvedProject,
    @Param('id') id: string,
    @CurrentCaller() caller: Caller,
    @RequestOrigin() origin: Origin,
  ): Promise<MailDto> {
    return toMailDto(await this.outbox.retry(realmOf(project), id, { actor: actorOf(caller), origin }));
  }
}
