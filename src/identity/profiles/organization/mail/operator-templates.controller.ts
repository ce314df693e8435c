import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { actorOf } from '../../../../audit/index.js';
import { CurrentOperator, Endpoint, RequestOrigin, TakesBody } from '../../../../http/index.js';
import type { OperatorCaller, Origin } from '../../../../http/index.js';
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
import { DEPLOYMENT_REALM } from '../../../users/user.repository.js';

@ApiTags('Operator')
@Controller('admin/v1/templates')
export class OperatorTemplatesController {
  constructor(
    private readonly templates: MailTemplates,
    private readonly previews: MailPreviews,
  ) {}

  @Endpoint.get('', {
    access: 'operator',
    summary: 'The mail templates, and what they can contain',
    response: [TemplateListingDto],
  })
  async list(): Promise<TemplateListingDto[]> {
    return (await this.templates.list(null)).map(toTemplateListingDto);
  }

  @Endpoint.get(':name', {
    access: 'operator',
    summary: 'A mail template as it is in use',
    response: TemplateDto,
    errors: ['validation_failed', 'template_not_found'],
  })
  async show(@Param('name') name: string, @Query() { locale }: TemplateQuery): Promise<TemplateDto> {
    return toTemplateDto(await this.templates.show(null, this.templates.nameOf(name), locale ?? null));
  }

  @Endpoint.put(':name', {
    access: 'operator',
    summary: 'Replace a mail template',
    description: TEMPLATE_VARIABLES_DOC,
    response: TemplateDto,
    errors: ['validation_failed', 'template_not_found', 'payload_too_large'],
  })
  @TakesBody('document')
  async put(
    @CurrentOperator() operator: OperatorCaller,
    @Param('name') wanted: string,
    @Query() { locale }: TemplateQuery,
    @Body() { subject, html, text }: TemplateBody,
    @RequestOrigin() origin: Origin,
  ): Promise<TemplateDto> {
    const key = { projectId: null, name: this.templates.nameOf(wanted), language: locale ?? null };
    const by = { actor: actorOf(operator), origin };
    return toTemplateDto(await this.templates.put(key, { subject, html, text }, by));
  }

  @Endpoint.delete(':name', {
    access: 'operator',
    summary: 'Put the built-in mail template back',
    status: 204,
    errors: ['validation_failed', 'template_not_found'],
  })
  async reset(
    @CurrentOperator() operator: OperatorCaller,
    @Param('name') wanted: string,
    @Query() { locale }: TemplateQuery,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    const key = { projectId: null, name: this.templates.nameOf(wanted), language: locale ?? null };
    await this.templates.reset(key, { actor: actorOf(operator), origin });
  }

  @Endpoint.post(':name/preview', {
    access: 'operator',
    summary: 'Show a mail with made-up values',
    description: 'Sends nothing, and issues no token.',
    status: 200,
    response: PreviewDto,
    errors: ['validation_failed', 'template_not_found', 'payload_too_large'],
  })
  @TakesBody('document')
  async preview(@Param('name') name: string, @Body() body: PreviewBody): Promise<PreviewDto> {
    const request = toPreviewRequest(this.templates.nameOf(name), body);
    return toPreviewDto(await this.previews.show(DEPLOYMENT_REALM, request));
  }
}
