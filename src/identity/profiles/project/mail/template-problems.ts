import type { FieldProblem } from '../../../../http/index.js';
import { PlainTemplate, TemplateError } from '../../../../platform/mail/index.js';
import type { RenderedMail } from '../../../../platform/mail/index.js';
import { TEMPLATE_VARIABLES } from './built-in-templates.js';
import type { TemplateSource } from './built-in-templates.js';

export type TemplateValues = Readonly<Record<(typeof TEMPLATE_VARIABLES)[number], string>>;

const PARTS = ['subject', 'html', 'text'] as const;

type PartName = (typeof PARTS)[number];

/** Nothing in it is changed by escaping, so that it is found again in what is rendered. */
const PROBE: TemplateValues = {
  link: 'https://link.example/probe',
  token: 'probe',
  email: 'probe@example.com',
  project: 'Probe',
};

function parsed(source: TemplateSource, part: PartName): PlainTemplate {
  return PlainTemplate.parse(source[part], { variables: TEMPLATE_VARIABLES, isHtml: part === 'html' });
}

function problemOf(source: TemplateSource, part: PartName): string | null {
  try {
    const text = parsed(source, part).render(PROBE);
    return part === 'subject' || text.includes(PROBE.link) ? null : 'must contain {{link}}';
  } catch (error) {
    if (error instanceof TemplateError) return error.message;
    throw error;
  }
}

/** What keeps a template from being used: parts that do not compile, and a body without the link. */
export function templateProblems(source: TemplateSource): FieldProblem[] {
  return PARTS.flatMap((path) => {
    const message = problemOf(source, path);
    return message === null ? [] : [{ path, message }];
  });
}

/** A subject is one line, whatever its variables hold. @throws TemplateError */
export function renderTemplate(source: TemplateSource, values: TemplateValues): RenderedMail {
  const [subject, html, text] = PARTS.map((part) => parsed(source, part).render(values)) as [
    string,
    string,
    string,
  ];
  return { subject: subject.replace(/\s+/g, ' ').trim(), html, text };
}
