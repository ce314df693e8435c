import type { MailLanguage } from '@service/client';

/** The languages of mails and pages, each by its own name. */
export const MAIL_LANGUAGES: readonly { readonly value: MailLanguage; readonly label: string }[] = [
  { value: 'en', label: 'English' },
  { value: 'de', label: 'Deutsch' },
  { value: 'fr', label: 'Français' },
  { value: 'es', label: 'Español' },
  { value: 'pt', label: 'Português' },
  { value: 'ja', label: '日本語' },
];
