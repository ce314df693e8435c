/** The mails of a project, by the names that the identity document gives them (section 2). */
export const TEMPLATE_NAMES = ['magic_link', 'recovery', 'invite'] as const;

export type TemplateName = (typeof TEMPLATE_NAMES)[number];

/** A template in its three parts, in the language of `PlainTemplate`. */
export interface TemplateSource {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

export const TEMPLATE_VARIABLES = ['link', 'token', 'email', 'project'] as const;

interface Letter {
  readonly subject: string;
  readonly opening: string;
  readonly button: string;
  /** What to do with the token, where an application asks for it as a code. */
  readonly code?: string;
  readonly closing: string;
}

/** Mail programs apply a style that stands on the element; few read a style sheet. */
const STYLE = {
  body: 'margin: 0; padding: 24px; font: 16px/1.5 system-ui, sans-serif',
  letter: 'max-width: 34em; margin: 0 auto',
  button:
    'display: inline-block; padding: 10px 20px; border-radius: 6px; background: #0842a0; color: #ffffff; font-weight: 600; text-decoration: none',
  code: 'font: 16px/1.5 ui-monospace, monospace; overflow-wrap: anywhere',
  quiet: 'font-size: 14px; overflow-wrap: anywhere',
};

function letter({ subject, opening, button, code, closing }: Letter): TemplateSource {
  const codeInText = code === undefined ? [] : [code, '{{token}}'];
  const codeInHtml =
    code === undefined ? '' : `      <p>${code}<br><span style="${STYLE.code}">{{token}}</span></p>\n`;
  return {
    subject,
    html: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="color-scheme" content="light dark">
    <title>${subject}</title>
  </head>
  <body style="${STYLE.body}">
    <div style="${STYLE.letter}">
      <p>${opening}</p>
${codeInHtml}      <p><a href="{{link}}" style="${STYLE.button}">${button}</a></p>
      <p>${closing}</p>
      <p style="${STYLE.quiet}">If the button does not work, copy this address into your browser:<br>{{link}}</p>
    </div>
  </body>
</html>
`,
    text: `${[opening, ...codeInText, `${button}:`, '{{link}}', closing].join('\n\n')}\n`,
  };
}

export const BUILT_IN_TEMPLATES: Readonly<Record<TemplateName, TemplateSource>> = {
  magic_link: letter({
    subject: 'Sign in to {{project}}',
    opening: 'Someone, probably you, asked to sign in to {{project}} as {{email}}.',
    code: 'To sign in, enter this code in the application:',
    button: 'Only confirm the address',
    closing:
      'The code and the button work once, together, within 15 minutes. If you did not ask for this mail, ignore it.',
  }),
  recovery: letter({
    subject: 'Set a new password for {{project}}',
    opening: 'Someone, probably you, asked for a new password at {{project}} for {{email}}.',
    button: 'Set a new password',
    closing:
      'The link works once, within one hour. If you did not ask for this mail, ignore it: your password stays as it is.',
  }),
  invite: letter({
    subject: 'You are invited to {{project}}',
    opening: 'You are invited to {{project}} as {{email}}. Choose a password to accept the invitation.',
    button: 'Accept the invitation',
    closing: 'The link works once, within 7 days. If you do not know who invited you, ignore this mail.',
  }),
};
