import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { actorOf } from '../../../../audit/index.js';
import { CurrentCaller, CurrentProject, Endpoint, RequestOrigin } from '../../../../http/index.js';
import type { Caller, Origin, ResolvedProject } from '../../../../http/index.js';
import { ChangeSignInSettingsBody, settingsChangeOf, SignInSettingsDto, toSignInSettingsDto } from './dto.js';
import { ProjectSignInSettings } from './sign-in-settings.js';

@ApiTags('Project settings')
@Controller('auth/v1/sign-in-settings')
export class SignInSettingsController {
  constructor(private readonly settings: ProjectSignInSettings) {}

  @Endpoint.get('', {
    access: 'service_key',
    summary: "How the project's users sign in",
    response: SignInSettingsDto,
  })
  async show(@CurrentProject() project: ResolvedProject): Promise<SignInSettingsDto> {
    return toSignInSettingsDto(await this.settings.find(project));
  }

  @Endpoint.patch('', {
    access: 'service_key',
    summary: "Change how the project's users sign in",
    description:
      'With `require_second_factor`, a sign-in of whoever has no second factor is answered with 403 ' +
      '`second_factor_required`, and an `enrolment` by which they add one and go on.',
    response: SignInSettingsDto,
    errors: ['validation_failed'],
  })
  async change(
    @CurrentProject() project: ResolvedProject,
    @CurrentCaller() caller: Caller,
    @Body() body: ChangeSignInSettingsBody,
    @RequestOrigin() origin: Origin,
  ): Promise<SignInSettingsDto> {
    const author = { project, actor: actorOf(caller), origin };
    return toSignInSettingsDto(await this.settings.change(author, settingsChangeOf(body)));
  }
}
