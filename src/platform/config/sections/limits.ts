import { integer } from '../schema/kind.js';
import { section, setting } from '../schema/setting.js';

/** A count from 0, which switches the limit off. */
const count = (max: number) => integer(0, max);

export const limits = section(
  'How much one caller may ask for, and how much one tenant may have; 0 switches a limit off.',
  {
    sign_in_failures_per_account: setting(count(1_000_000), {
      default: 10,
      doc: 'Failed sign-ins of one account from one client address in 15 minutes, and of one-time tokens and API keys from one client address; a success clears those of the account.',
    }),
    sign_in_failures_per_account_hourly: setting(count(1_000_000), {
      default: 100,
      doc: 'Failed sign-ins of one account in an hour, from all client addresses together.',
    }),
    sign_ups_per_address: setting(count(1_000_000), {
      default: 30,
      doc: 'Accounts that one client address may create in an hour.',
    }),
    requests_per_address: setting(count(10_000_000), {
      default: 300,
      doc: 'Requests without valid credentials to /auth/v1 and /admin/v1 from one client address in a minute.',
    }),
    mail_interval_secs: setting(count(86_400), {
      default: 60,
      doc: 'Time between two mails of one kind to one recipient.',
    }),
    mails_per_recipient: setting(count(1_000_000), {
      default: 10,
      doc: 'Mails to one recipient in a day, of all kinds together but notices, of which each kind counts for itself.',
    }),
    mails_per_sender: setting(count(1_000_000), {
      default: 200,
      doc: 'Invitations that one organization or project may mail in a day.',
    }),
    organizations_per_account: setting(count(1_000_000), {
      default: 100,
      doc: 'Organizations that one account may own.',
    }),
    memberships_per_account: setting(count(1_000_000), {
      default: 1_000,
      doc: 'Organizations that one account may be a member of.',
    }),
    members_per_organization: setting(count(10_000_000), {
      default: 10_000,
      doc: 'Members of one organization.',
    }),
    pending_invitations: setting(count(1_000_000), {
      default: 500,
      doc: 'Invitations of one organization or project that wait to be accepted.',
    }),
    former_slugs: setting(count(10_000), {
      default: 10,
      doc: 'Former slugs that lead to one organization, each for 30 days after it was changed.',
    }),
    roles: setting(count(100_000), {
      default: 200,
      doc: 'Roles of one organization, the built-in ones included.',
    }),
    api_keys: setting(count(100_000), {
      default: 200,
      doc: 'API keys of one organization that are neither revoked nor expired.',
    }),
    jobs: setting(count(1_000_000), { default: 2_000, doc: 'Jobs of one organization or project.' }),
    waiting_runs: setting(count(100_000_000), {
      default: 100_000,
      doc: 'Runs of one organization or project that have been accepted and have not started.',
    }),
    waiting_payload_bytes: setting(count(1_099_511_627_776), {
      default: 1_073_741_824,
      doc: 'Payloads of those runs together.',
    }),
    secrets: setting(count(1_000_000), { default: 1_000, doc: 'Secrets of one organization or project.' }),
    log_followers: setting(count(500), {
      default: 100,
      doc: 'Streams of logs that one organization or project may have open at one instance; one caller half as many.',
    }),
    searches: setting(count(100), {
      default: 8,
      doc: 'Searches that no index serves, such as those by payload, of one organization or project that wait or run at one instance; of one caller half as many.',
    }),
    audit_exports: setting(count(50), {
      default: 4,
      doc: 'Exports of one audit trail that one instance sends at a time; to one caller half as many.',
    }),
  },
);

export const audit = section('The audit trail.', {
  retention_days: setting(count(36_500), {
    default: 0,
    doc: 'How long audit entries are kept; 0 keeps them for ever.',
  }),
});
