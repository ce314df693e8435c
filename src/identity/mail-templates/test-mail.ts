import type { Language } from '../../platform/languages/index.js';
import { subjectLine } from '../../platform/mail/index.js';
import type { RenderedMail } from '../../platform/mail/index.js';
import { Messages } from '../languages/index.js';

/** A mail that shows that the settings work. @param name whose settings, if they have a name */
export function testMail(language: Language, name: string | null): RenderedMail {
  const messages = Messages.in(language);
  const title = messages.text('mail.test.subject');
  const text = messages.text('mail.test.message');
  return {
    subject: subjectLine(name === null ? title : `${title}: ${name}`),
    text: `${text}\n`,
    html: `<!doctype html>\n<html lang="${language}"><head><meta charset="utf-8"><title>${title}</title></head><body><p>${text}</p></body></html>\n`,
  };
}
