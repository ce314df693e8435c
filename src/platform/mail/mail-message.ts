/** The mails there are; each is a folder of templates. */
export type MailTemplate = 'invite';

export interface MailMessage {
  readonly to: string;
  readonly template: MailTemplate;
  /** What the template names: `link` always; `org`, `role` and `inviter` of invite. */
  readonly variables: Readonly<Record<string, string>>;
}
