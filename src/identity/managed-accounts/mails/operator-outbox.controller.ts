import { Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { actorOf } from '../../../audit/index.js';
import { CurrentOperator, Endpoint, RequestOrigin } from '../../../http/index.js';
import type { OperatorCaller, Origin, Page } from '../../../http/index.js';
import { MailDto, MailQuery, RETRY_ERRORS, RETRY_MAIL, toMailDto } from '../dto/listed-mail.js';
import { ManagedOutbox } from './managed-outbox.js';

/** The mail outbox of the deployment. */
@ApiTags('Operator')
@Controller('admin/v1/mail')
export class OperatorOutboxController {
  constructor(private readonly outbox: ManagedOutbox) {}

  @Endpoint.get('', {
    access: 'operator',
    summary: 'Mails that wait, were sent or failed, newest first',
    description:
      'With what the mail server answered, and without subject and text. A finished mail is listed for ' +
      '`identity.mail_history_days` and as long as its user exists. An invitation is sent while its request waits, ' +
      'and listed afterwards, as long as its user or organization exists. Test messages are not listed.',
    response: [MailDto],
    errors: ['validation_failed'],
  })
  async list(@Query() query: MailQuery): Promise<Page<MailDto>> {
    return (await this.outbox.page(null, query)).map(toMailDto);
  }

  @Endpoint.post(':id/retry', {
    access: 'operator',
    summary: 'Send a mail again',
    description: RETRY_MAIL,
    status: 202,
    response: MailDto,
    errors: [...RETRY_ERRORS],
  })
  async retry(
    @Param('id') id: string,
    @CurrentOperator() operator: OperatorCaller,
    @RequestOrigin() origin: Origin,
  ): Promise<MailDto> {
    return toMailDto(await this.outbox.retry(null, id, { actor: actorOf(operator), origin }));
  }
}
