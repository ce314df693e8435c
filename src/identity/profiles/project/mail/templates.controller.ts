import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { actorOf } from '../../../../audit/index.js';
import { CurrentCaller, CurrentProject, Endpoint, RequestOrigin, TakesBody } from '../../../../http/index.js';
import type { Caller, Origin, ResolvedProject } from '../../../../http/index.js';
import {
  MailPreviews,
  MailTemplates,
  PreviewBody,
  PreviewDto,
  TEMPLATE_VARIABLES_DOC,
  TemplateBody,
  TemplateDto,
  TemplateListingDto,
  TemplateQuery,
  toPreviewDto,
  toPreviewRequest,
  toTemplateDto,
  toTemplateListingDto,
} from '../../../mail-templates/index.js';
import { nameInMails } from '../projects.js';
import { realmOf } from '../../../own-account/own-account-access.js';

@ApiTags('Project settings')
@Controller('auth/v1/templates')
export class TemplatesController {
  constructor(
    private readonly templates: MailTemplates,
    private readonly previews: MailPreviews,
  ) {}

  @Endpoint.get('', {
    access: 'service_key',
    summary: 'The mail templates, and what they can contain',
    response: [TemplateListingDto],
  })
  async list(@CurrentProject() { id }: ResolvedProject): Promise<TemplateListingDto[]> {
    return (await this.templates.list(id)).map(toTemplateListingDto);
  }

  @Endpoint.get(':name', {
    access: 'service_key',
    summary: 'A mail template as it is in use',
    response: TemplateDto,
    errors: ['validation_failed', 'template_not_found'],
  })
  async show(
    @CurrentProject() { id }: ResolvedProject,
    @Param('name') name: string,
    @Query() { locale }: TemplateQuery,
  ): Promise<TemplateDto> {
    return toTemplateDto(await this.templates.show(id, this.templates.nameOf(name), locale ?? null));
  }

  @Endpoint.put(':name', {
    access: 'service_key',
    summary: 'Replace a mail template',
    description: TEMPLATE_VARIABLES_DOC,
    response: TemplateDto,
    errors: ['validation_failed', 'template_not_found', 'payload_too_large'],
  })
  @TakesBody('document')
  async put(
    @CurrentProject() { id }: ResolvedProject,
    @CurrentCaller() caller: Caller,
    @Param('name') wanted: string,
    @Query() { locale }: TemplateQuery,
    @Body() { subject, html, text }: TemplateBody,
    @RequestOrigin() origin: Origin,
  ): Promise<TemplateDto> {
    const key = { projectId: id, name: this.templates.nameOf(wanted), language: locale ?? null };
    const by = { actor: actorOf(caller), origin };
    return toTemplateDto(await this.templates.put(key, { subject, html, text }, by));
  }

  @Endpoint.delete(':name', {
    access: 'service_key',
    summary: 'Put the built-in mail template back',
    status: 204,
    errors: ['validation_failed', 'template_not_found'],
  })
  async reset(
    @CurrentProject() { id }: ResolvedProject,
    @CurrentCaller() caller: Caller,
    @Param('name') wanted: string,
    @Query() { locale }: TemplateQuery,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    const key = { projectId: id, name: this.templates.nameOf(wanted), language: locale ?? null };
    await this.templates.reset(key, { actor: actorOf(caller), origin });
  }

  @Endpoint.post(':name/preview', {
    access: 'service_key',
    summary: 'Show a mail with made-up values',
    description: 'Sends nothing, and issues no token.',
    status: 200,
    response: PreviewDto,
    errors: ['validation_failed', 'template_not_found', 'payload_too_large'],
  })
  @TakesBody('document')
  async preview(
    @CurrentProject() project: ResolvedProject,
    @Param('name') name: string,
    @Body() body: PreviewBody,
  ): Promise<PreviewDto> {
    const request = toPreviewRequest(this.templates.nameOf(name), body);
    return toPreviewDto(
      await this.previews.show(realmOf(project), { ...request, project: nameInMails(project) }),
    );
  }
}
