export { Mail, MailFailedError } from './mail.js';
export type { MailMessage, MailTemplate } from './mail-message.js';
export { MailModule } from './mail.module.js';
