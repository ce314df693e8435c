export { builtInTemplate } from './built-in-templates.js';
export {
  MailTestBody,
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
} from './dto.js';
export { MailPreviews } from './mail-previews.js';
export { MailRenderer } from './mail-renderer.js';
export type { Letter } from './mail-renderer.js';
export { MailTemplates } from './mail-templates.js';
export { MailTemplateSet } from './template-set.js';
export type { TemplateName } from './template-set.js';
export { TemplateRepository } from './template.repository.js';
export { testMail } from './test-mail.js';
