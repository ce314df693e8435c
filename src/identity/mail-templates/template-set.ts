/** Values of every template: the language of the mail, and the brand. */
const COMMON = ['locale', 'brand', 'logo_url', 'color', 'text_color', 'support_url'] as const;

/** The name of what a template can contain, as in `{{link}}`. */
export type TemplateVariable = string;

export type TemplateName = 'verification' | 'recovery' | 'magic_link' | 'invite' | 'email_change' | 'notice';

/** A template in its three parts, in the language of `PlainTemplate`. */
export interface TemplateSource {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

type OwnVariables = Readonly<Partial<Record<TemplateName, readonly TemplateVariable[]>>>;

/** Which mails a profile sends, and what their templates can contain. The active profile provides it. */
export class MailTemplateSet {
  /** @param own the variables of each template besides the ones that all have */
  constructor(private readonly own: OwnVariables) {}

  get names(): readonly TemplateName[] {
    return Object.keys(this.own) as TemplateName[];
  }

  /** Null for text that names no template. */
  nameOf(text: string): TemplateName | null {
    return this.names.find((name) => name === text) ?? null;
  }

  variablesOf(name: TemplateName): readonly TemplateVariable[] {
    return [...(this.own[name] ?? []), ...COMMON];
  }
}

/** Whether the mail is there for its link. */
export function needsLink(name: TemplateName): boolean {
  return name !== 'notice';
}
