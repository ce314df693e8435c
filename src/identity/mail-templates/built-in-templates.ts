import type { Language } from '../../platform/languages/index.js';
import { Messages } from '../languages/index.js';
import type { Duration } from '../languages/index.js';
import type { TemplateName, TemplateSource, TemplateVariable } from './template-set.js';

/** How long the link of a mail works, as its token does. */
const DURATIONS: Readonly<Record<Exclude<TemplateName, 'notice'>, Duration>> = {
  verification: { amount: 24, unit: 'hour' },
  recovery: { amount: 1, unit: 'hour' },
  magic_link: { amount: 15, unit: 'minute' },
  invite: { amount: 7, unit: 'day' },
  email_change: { amount: 24, unit: 'hour' },
};

/** What a mail says, with variables of the template in it. */
interface Letter {
  readonly subject: string;
  readonly opening: string;
  /** What to do with the token, where an application asks for it as a code. */
  readonly code?: string;
  readonly button?: string;
  readonly closing: string;
}

/** Writes a variable for one part of the mail. */
type Placeholder = (name: TemplateVariable) => string;

/** In HTML, a name of whatever direction does not turn the words around it. */
const IN_HTML: Placeholder = (name) => `<bdi>{{${name}}}</bdi>`;
const IN_TEXT: Placeholder = (name) => `{{${name}}}`;

/** With the brand where there is one. */
function eitherWay(named: string, plain: string): string {
  return `{{#if brand}}${named}{{else}}${plain}{{/if}}`;
}

/** @param ofOrganization whether invitations are to an organization */
function letterOf(
  name: TemplateName,
  messages: Messages,
  variable: Placeholder,
  ofOrganization: boolean,
): Letter {
  const [email, brand] = [variable('email'), variable('brand')];
  if (name === 'notice')
    return {
      subject: variable('title'),
      opening: variable('message'),
      closing: messages.text('mail.notice.closing', { email }),
    };
  const duration = messages.duration(DURATIONS[name]);
  switch (name) {
    case 'verification':
    case 'email_change':
      return {
        subject: messages.text(`mail.${name}.subject`),
        opening: messages.text(`mail.${name}.opening`, { email }),
        button: messages.text(`mail.${name}.button`),
        closing: messages.text(`mail.${name}.closing`, { duration }),
      };
    case 'recovery':
      return {
        subject: eitherWay(
          messages.text('mail.recovery.subject_named', { brand }),
          messages.text('mail.recovery.subject'),
        ),
        opening: eitherWay(
          messages.text('mail.recovery.opening_named', { brand, email }),
          messages.text('mail.recovery.opening', { email }),
        ),
        button: messages.text('mail.recovery.button'),
        closing: messages.text('mail.recovery.closing', { duration }),
      };
    case 'magic_link':
      return {
        subject: messages.text('mail.magic_link.subject', { brand }),
        opening: messages.text('mail.magic_link.opening', { brand, email }),
        code: messages.text('mail.code'),
        button: messages.text('mail.magic_link.button'),
        closing: messages.text('mail.magic_link.closing', { duration }),
      };
    case 'invite': {
      const [org, role, inviter] = [variable('org'), variable('role'), variable('inviter')];
      return {
        subject: ofOrganization
          ? messages.text('mail.invite.organization_subject', { org })
          : messages.text('mail.invite.subject', { brand }),
        opening: ofOrganization
          ? messages.text('mail.invite.organization_opening', { org, role, inviter })
          : messages.text('mail.invite.opening', { brand, email }),
        button: messages.text('mail.invite.button'),
        closing: messages.text('mail.invite.closing', { duration }),
      };
    }
  }
}

/** Mail programs apply a style that stands on the element; few read a style sheet. */
const STYLE = {
  body: 'margin: 0; padding: 24px; font: 16px/1.5 system-ui, sans-serif',
  letter: 'max-width: 34em; margin: 0 auto; overflow-wrap: anywhere',
  brand: 'margin: 0 0 24px; font-size: 18px; font-weight: 600',
  logo: 'display: block; height: 40px; width: auto; max-width: 100%; border: 0',
  button:
    'display: inline-block; padding: 10px 20px; border-radius: 6px; background: {{color}}; color: {{text_color}}; font-weight: 600; text-decoration: none',
  code: 'font: 16px/1.5 ui-monospace, monospace; overflow-wrap: anywhere',
  quiet: 'font-size: 14px; overflow-wrap: anywhere',
  foot: 'margin: 24px 0 0; padding: 12px 0 0; border-top: 1px solid #8a919c; font-size: 14px',
};

const HEAD = `{{#if logo_url}}<p style="${STYLE.brand}"><img src="{{logo_url}}" alt="{{brand}}" height="40" style="${STYLE.logo}"></p>{{else}}{{#if brand}}<p style="${STYLE.brand}"><bdi>{{brand}}</bdi></p>{{/if}}{{/if}}`;

function htmlOf({ subject, opening, code, button, closing }: Letter, messages: Messages): string {
  const rows = [
    HEAD,
    `<p>${opening}</p>`,
    ...(code === undefined ? [] : [`<p>${code}<br><span style="${STYLE.code}">{{token}}</span></p>`]),
    ...(button === undefined ? [] : [`<p><a href="{{link}}" style="${STYLE.button}">${button}</a></p>`]),
    `<p>${closing}</p>`,
    ...(button === undefined
      ? []
      : [`<p style="${STYLE.quiet}">${messages.text('mail.fallback')}<br>{{link}}</p>`]),
    `{{#if support_url}}<p style="${STYLE.foot}"><a href="{{support_url}}">${messages.text('mail.help')}</a></p>{{/if}}`,
  ];
  return `<!doctype html>
<html lang="{{locale}}">
  <head>
    <meta charset="utf-8">
    <meta name="color-scheme" content="light dark">
    <title>${subject}</title>
  </head>
  <body style="${STYLE.body}">
    <div style="${STYLE.letter}">
${rows.map((row) => `      ${row}\n`).join('')}    </div>
  </body>
</html>
`;
}

function textOf({ opening, code, button, closing }: Letter, messages: Messages): string {
  const paragraphs = [
    opening,
    ...(code === undefined ? [] : [code, '{{token}}']),
    ...(button === undefined ? [] : [`${button}:`, '{{link}}']),
    closing,
  ];
  const help = `{{#if support_url}}\n\n${messages.text('mail.help')}: {{support_url}}{{/if}}`;
  return `${paragraphs.join('\n\n')}${help}\n`;
}

/** The template that the program brings. @param variables those of the template in the profile */
export function builtInTemplate(
  name: TemplateName,
  language: Language,
  variables: readonly TemplateVariable[],
): TemplateSource {
  const messages = Messages.in(language);
  const ofOrganization = variables.includes('org');
  const plain = letterOf(name, messages, IN_TEXT, ofOrganization);
  const marked = { ...letterOf(name, messages, IN_HTML, ofOrganization), subject: plain.subject };
  return { subject: plain.subject, html: htmlOf(marked, messages), text: textOf(plain, messages) };
}
