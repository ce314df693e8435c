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

/** @param lines each a paragraph; the link stands after the first */
function letter(
  subject: string,
  button: string,
  [first, ...rest]: readonly [string, ...string[]],
): TemplateSource {
  const paragraphs = rest.map((line) => `    <p>${line}</p>\n`).join('');
  return {
    subject,
    html: `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>${subject}</title></head>
  <body style="font-family: sans-serif; color: #1a1a1a; line-height: 1.5">
    <p>${first}</p>
    <p><a href="{{link}}">${button}</a></p>
    <p>If the link does not open, copy this address into your browser:<br>{{link}}</p>
${paragraphs}  </body>
</html>
`,
    text: `${[first, '{{link}}', ...rest].join('\n\n')}\n`,
  };
}

export const BUILT_IN_TEMPLATES: Readonly<Record<TemplateName, TemplateSource>> = {
  magic_link: letter('Sign in to {{project}}', 'Sign in', [
    'Somebody, most likely you, asked to sign in to {{project}} as {{email}}. Open this page and press its button:',
    'The link works once, within 15 minutes. If it was not you, ignore this message.',
  ]),
  recovery: letter('Set a new password for {{project}}', 'Set a new password', [
    'Somebody, most likely you, asked for a new password for {{email}} at {{project}}. To set one, open this page:',
    'The link works once, within one hour. If it was not you, ignore this message: your password stays as it is.',
  ]),
  invite: letter('You are invited to {{project}}', 'Accept the invitation', [
    'You are invited to {{project}} as {{email}}. To accept, open this page and choose a password:',
    'The link works once, within 7 days. If you do not know who invited you, ignore this message.',
  ]),
};
