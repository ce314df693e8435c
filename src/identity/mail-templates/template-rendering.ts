import type { FieldProblem } from '../../http/index.js';
import { MailFailedError, PlainTemplate, subjectLine, TemplateError } from '../../platform/mail/index.js';
import type { RenderedMail } from '../../platform/mail/index.js';
import { needsLink } from './template-set.js';
import type { TemplateName, TemplateSource, TemplateVariable } from './template-set.js';

export type TemplateValues = Readonly<Record<TemplateVariable, string>>;

const PARTS = ['subject', 'html', 'text'] as const;

type PartName = (typeof PARTS)[number];

/** Of brands and invitations that may lack them. */
const OPTIONAL = new Set<TemplateVariable>([
  'brand',
  'logo_url',
  'color',
  'text_color',
  'support_url',
  'inviter',
]);

/** Nothing in it is changed by escaping, so that it is found again in what is rendered. */
const PROBE_LINK = 'https://link.example/probe';

type Variables = readonly TemplateVariable[];

function parsed(source: TemplateSource, part: PartName, variables: Variables): PlainTemplate {
  return PlainTemplate.parse(source[part], { variables, isHtml: part === 'html' });
}

/** What keeps a template from being used: parts that do not compile, and a body without the link. */
export function templateProblems(
  name: TemplateName,
  source: TemplateSource,
  variables: Variables,
): FieldProblem[] {
  const isIncomplete = (part: PartName, text: string): boolean =>
    part !== 'subject' && needsLink(name) && !text.includes(PROBE_LINK);
  const probeWith = (optional: string): TemplateValues =>
    Object.fromEntries(
      variables.map((variable) => [
        variable,
        variable === 'link' ? PROBE_LINK : OPTIONAL.has(variable) ? optional : 'probe',
      ]),
    );
  return PARTS.flatMap((path) => {
    try {
      const template = parsed(source, path, variables);
      const texts = ['probe', ''].map((optional) => template.render(probeWith(optional)));
      return texts.some((text) => isIncomplete(path, text))
        ? [{ path, message: 'must contain {{link}}' }]
        : [];
    } catch (error) {
      if (error instanceof TemplateError) return [{ path, message: error.message }];
      throw error;
    }
  });
}

/** A subject is one line, whatever its variables hold. @throws TemplateError */
export function renderTemplate(
  source: TemplateSource,
  variables: Variables,
  values: TemplateValues,
): RenderedMail {
  const part = (name: PartName): string => parsed(source, name, variables).render(values);
  return { subject: subjectLine(part('subject')), html: part('html'), text: part('text') };
}

/** A template that cannot be used fails for good: another attempt would find the same one. */
export function templateFailure(name: TemplateName, error: unknown): never {
  if (!(error instanceof TemplateError)) throw error;
  throw new MailFailedError(`the template ${name} ${error.message}`, true, true);
}
