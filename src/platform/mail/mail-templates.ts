import Handlebars from 'handlebars';
import { readFile } from 'node:fs/promises';

/** The mails there are; each is a folder of templates. */
export type MailTemplate = 'verify' | 'recover' | 'invite' | 'notice';

export interface MailMessage {
  readonly to: string;
  readonly template: MailTemplate;
  /**
   * What the template names: `link`, but not of notice; `email` of verify, recover and notice; `org`, `role` and `inviter` of
   * invite; `subject` and `message` of notice.
   */
  readonly variables: Readonly<Record<string, string>>;
}

/** A mail ready to go. */
export interface RenderedMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

type Render = (variables: MailMessage['variables']) => string;

interface CompiledTemplate {
  readonly subject: Render;
  readonly html: Render;
  readonly text: Render;
}

const FOLDER = new URL('./templates/', import.meta.url);

const compiled = new Map<MailTemplate, Promise<CompiledTemplate>>();

/** Values are escaped in HTML alone: plain text and subjects have no markup to break out of. */
async function compile(template: MailTemplate): Promise<CompiledTemplate> {
  const part = async (name: keyof CompiledTemplate): Promise<Render> => {
    const source = await readFile(new URL(`${template}/${name}.hbs`, FOLDER), 'utf8');
    return Handlebars.compile(source, { noEscape: name !== 'html' });
  };
  const [subject, html, text] = await Promise.all([part('subject'), part('html'), part('text')]);
  return { subject, html, text };
}

async function compiledOnce(template: MailTemplate): Promise<CompiledTemplate> {
  const known = compiled.get(template) ?? compile(template);
  compiled.set(template, known);
  return await known;
}

/** One line of visible text, whatever the variables hold. */
function asSubject(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/[\p{Bidi_Control}\u200B\u2060\uFEFF]/gu, '')
    .trim();
}

/** Renders `templates/<name>/{subject,html,text}.hbs`. */
export async function renderMail(message: MailMessage): Promise<RenderedMail> {
  const { subject, html, text } = await compiledOnce(message.template);
  const { variables } = message;
  return {
    subject: asSubject(subject(variables)),
    html: html(variables),
    text: text(variables),
  };
}
