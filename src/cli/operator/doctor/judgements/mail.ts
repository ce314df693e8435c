import type { OutboxState } from '../../../../identity/index.js';
import { counted, duration, fromStartup, problem, those, warning } from '../finding.js';
import type { Finding, Verdict } from '../finding.js';

/** Instances look for mails without a wake-up every 15 s. */
const OVERDUE_SECS = 300;

/** @param reason why the mail server does not take mail, as `MailFailedError` has it; null when it does */
export function judgeMail(server: string, reason: string | null): Verdict {
  return { findings: reason === null ? [] : [mailFault(server, reason)], summary: `${server} answers` };
}

function mailFault(server: string, reason: string): Finding {
  if (reason.startsWith('EAUTH'))
    return problem(
      'mail_login_refused',
      `the mail server at ${server} refuses the sign-in (${reason})`,
      'Correct identity.smtp.user and identity.smtp.password',
    );
  if (reason.includes('cannot be trusted')) return fromStartup('mail_certificate_untrusted', reason);
  if (reason.startsWith('ETLS'))
    return problem(
      'mail_tls_refused',
      `the mail server at ${server} does not offer TLS`,
      'Correct identity.smtp.port, and identity.smtp.tls: starttls for port 587, tls for port 465',
    );
  return problem(
    'mail_unreachable',
    `the mail server at ${server} does not answer as one (${reason})`,
    'Start it, open the way to it, or correct identity.smtp.host, identity.smtp.port and identity.smtp.tls',
  );
}

export function judgeMailAbsence(): Verdict {
  return {
    findings: [
      warning(
        'mail_not_configured',
        'no mail server is configured: nobody can prove an address or recover an account',
        'Set identity.smtp.host and identity.smtp.from',
      ),
    ],
    summary: 'not configured',
  };
}

export function judgeOutbox({ waiting, failing, reason, overdueSecs }: OutboxState): Verdict {
  const findings = those(
    failing > 0 &&
      problem(
        'mails_failing',
        `${counted(failing, 'mail')} could not be sent and will be tried again (${reason ?? 'no reason noted'})`,
        'Mend the mail server or its settings; the Mail page of the console shows what each server answered',
      ),
    (overdueSecs ?? 0) > OVERDUE_SECS &&
      problem(
        'mails_overdue',
        `the oldest mail has been due for ${duration(overdueSecs ?? 0)}, and no instance sends it`,
        'Start an instance of role worker, which sends mail',
      ),
  );
  return { findings, summary: `${counted(waiting, 'mail')} waiting` };
}
