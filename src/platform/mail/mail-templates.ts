import Handlebars from 'handlebars';
import type { MailMessage } from './mail.js';

/** A mail ready to go. */
export interface RenderedMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

export async function renderMail(message: MailMessage): Promise<RenderedMail> {
  const render = (source: string): string => Handlebars.compile(source)(message.variables);
  return await Promise.resolve({
    subject: message.template,
    html: render('<a href="{{link}}">{{link}}</a>'),
    text: render('{{{link}}}'),
  });
}
