import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { actorOf } from '../../../../audit/index.js';
import { CurrentCaller, CurrentProject, Endpoint, RequestOrigin, TakesBody } from '../../../../http/index.js';
import type { Caller, Origin, ResolvedProject } from '../../../../http/index.js';
import { TemplateBody, TemplateDto, toTemplateDto } from './dto.js';
import { Templates } from './templates.js';

@ApiTags('Project settings')
@Controller('auth/v1/templates')
export class TemplatesController {
  constructor(private readonly templates: Templates) {}

  @Endpoint.get(':name', {
    access: 'service_key',
    summary: 'A mail template as it is in use',
    response: TemplateDto,
    errors: ['template_not_found'],
  })
  async show(@CurrentProject() { id }: ResolvedProject, @Param('name') name: string): Promise<TemplateDto> {
    return toTemplateDto(await this.templates.show(id, name));
  }

  @Endpoint.put(':name', {
    access: 'service_key',
    summary: 'Replace a mail template',
    description:
      'The variables are `{{link}}`, `{{token}}`, `{{email}}` and `{{project}}`; `{{#if variable}}` and ' +
      '`{{#unless variable}}` take `{{else}}`. `html` and `text` must contain the link. Values are escaped in `html`.',
    response: TemplateDto,
    errors: ['validation_failed', 'template_not_found', 'payload_too_large'],
  })
  @TakesBody('document')
  async put(
    @CurrentProject() project: ResolvedProject,
    @CurrentCaller() caller: Caller,
    @Param('name') name: string,
    @Body() { subject, html, text }: TemplateBody,
    @RequestOrigin() origin: Origin,
  ): Promise<TemplateDto> {
    const change = { project, actor: actorOf(caller), origin };
    return toTemplateDto(await this.templates.put(change, name, { subject, html, text }));
  }

  @Endpoint.delete(':name', {
    access: 'service_key',
    summary: 'Put the built-in mail template back',
    status: 204,
    errors: ['template_not_found'],
  })
  async reset(
    @CurrentProject() project: ResolvedProject,
    @CurrentCaller() caller: Caller,
    @Param('name') name: string,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    await this.templates.reset({ project, actor: actorOf(caller), origin }, name);
  }
}
