import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { actorOf } from '../../../../audit/index.js';
import {
  CurrentCaller,
  CurrentProject,
  Endpoint,
  RequestOrigin,
  ServiceError,
} from '../../../../http/index.js';
import type { Caller, Origin, ResolvedProject } from '../../../../http/index.js';
import { MailSettingsFields, PutMailSettingsBody, toMailServer, toMailSettingsDto } from './dto.js';
import { MailTestBody } from '../../../mail-templates/index.js';
import { MailSettings } from './mail-settings.js';
import { MailTest } from './mail-test.js';

@ApiTags('Project settings')
@Controller('auth/v1/mail')
export class MailSettingsController {
  constructor(
    private readonly settings: MailSettings,
    private readonly mailTest: MailTest,
  ) {}

  @Endpoint.get('', {
    access: 'service_key',
    summary: "The project's mail settings, without the password",
    response: MailSettingsFields,
    errors: ['mail_settings_not_found'],
  })
  async show(@CurrentProject() { id }: ResolvedProject): Promise<MailSettingsFields> {
    const found = await this.settings.find(id);
    if (found === null) throw new ServiceError('mail_settings_not_found');
    return toMailSettingsDto(found);
  }

  @Endpoint.put('', {
    access: 'service_key',
    summary: "Set the project's mail settings, all of them",
    description:
      'Without them invitations are refused, and nobody gets a magic link or a recovery mail. Servers on loopback ' +
      'and private networks, and ports other than 25, 465, 587 and 2525, may be named where the operator allows it ' +
      '(`auth.private_mail_hosts`).',
    response: MailSettingsFields,
    errors: ['validation_failed'],
  })
  async put(
    @CurrentProject() project: ResolvedProject,
    @CurrentCaller() caller: Caller,
    @Body() body: PutMailSettingsBody,
    @RequestOrigin() origin: Origin,
  ): Promise<MailSettingsFields> {
    const server = toMailServer(body);
    await this.settings.put({ project, actor: actorOf(caller), origin }, server);
    return toMailSettingsDto(server);
  }

  @Endpoint.delete('', {
    access: 'service_key',
    summary: "Forget the project's mail settings",
    status: 204,
    errors: ['mail_settings_not_found'],
  })
  async delete(
    @CurrentProject() project: ResolvedProject,
    @CurrentCaller() caller: Caller,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    await this.settings.delete({ project, actor: actorOf(caller), origin });
  }

  @Endpoint.post('test', {
    access: 'service_key',
    summary: 'Send a test mail through the settings, now',
    status: 204,
    errors: ['validation_failed', 'mail_not_configured', 'mail_failed', 'rate_limited'],
  })
  async test(
    @CurrentProject() project: ResolvedProject,
    @Body() { to }: MailTestBody,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    await this.mailTest.send(project, to, origin);
  }
}
