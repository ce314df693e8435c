/** The mails there are; each is a folder of templates. */
export type MailTemplate = 'verify' | 'recover' | 'invite';

export interface MailMessage {
  readonly to: string;
  readonly template: MailTemplate;
  /** What the template names: `link` always; `email` of verify and recover; `org`, `role` and `inviter` of invite. */
  readonly variables: Readonly<Record<string, string>>;
}
