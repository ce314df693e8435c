export { renderMail } from './mail-templates.js';
export { TenantSmtp } from './tenant-smtp.js';
export { Handover } from './handover.js';
export { Mail } from './mail.js';
export { MailFailedError } from './mail-failed-error.js';
export type { MailMessage, MailTemplate, RenderedMail } from './mail-templates.js';
export { MailModule } from './mail.module.js';
export type { MailServer } from './mail-server.js';
export { PlainTemplate, TemplateError } from './plain-template.js';
