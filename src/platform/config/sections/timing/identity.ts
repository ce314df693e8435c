import { section } from '../../schema/setting.js';
import { days, hours, milliseconds, seconds } from './durations.js';

export const identity = section('Accounts.', {
  prune_ms: milliseconds(300_000, 'Time between two deletions of expired tokens, sessions and the like.'),
  invitation_sweep_ms: milliseconds(
    60_000,
    'Time between two looks for invitations that expired: they end, and in profile project so do their users.',
  ),
  unsent_invitation_secs: seconds(
    300,
    'Age at which an invitation of a project that was not sent counts as interrupted.',
  ),
  imported_hashes_ms: milliseconds(60_000, 'Time between two counts of the kinds of imported hashes.'),
  attempt_poll_ms: milliseconds(
    50,
    'Time between two looks whether other attempts at an account have ended.',
  ),
  breached_passwords_limit_ms: milliseconds(
    1_000,
    'How long the range API may take; past it the password is accepted.',
  ),
});

export const mail = section('The outbox of mails.', {
  sweep_ms: milliseconds(15_000, 'Time between two looks for mails whose wake-up was lost.'),
  lease_secs: seconds(
    30,
    'How long a mail that is being sent stays with an instance that no longer renews it.',
  ),
  renew_ms: milliseconds(10_000, 'Time between two renewals: a third of that, so that two may fail.'),
  first_retry_secs: seconds(1, 'How long to wait after the first failed attempt; it doubles each time.'),
  longest_retry_secs: seconds(900, 'The same at most.'),
  give_up_secs: seconds(259_200, 'Age at which a mail is given up.'),
});

export const keys = section('Signing keys and API keys.', {
  schedule_longest_ms: milliseconds(
    30_000,
    'The longest that a missed announcement keeps an old state of a signing key alive.',
  ),
  schedule_shortest_ms: milliseconds(50, 'Time between two looks at signing keys at least.'),
  schedule_retry_ms: milliseconds(1_000, 'The same after a look that failed.'),
  extension_secs: seconds(
    3_600,
    'How much longer than needed the publication of a key is extended, so that one statement serves many run tokens.',
  ),
  usage_precision_ms: milliseconds(60_000, 'How often last_used_at of an API key is written at most.'),
  usage_gather_ms: milliseconds(
    500,
    'How long uses of API keys are gathered before one statement notes them.',
  ),
});

export const audit = section('The audit trail and the figures of sign-ins.', {
  retention_ms: milliseconds(3_600_000, 'Time between two removals of entries past their retention.'),
  refusals_ms: milliseconds(60_000, 'Time between two entries of counted refusals.'),
  sign_ins_ms: milliseconds(2_000, 'How long an instance counts sign-ins before it writes the figures.'),
});

export const lives = section(
  'Lives of what is handed out, remembered or counted. Mails and the API reference name the defaults.',
  {
    invitation_days: days(7, 'How long an invitation can be accepted.'),
    verification_link_secs: seconds(86_400, 'How long the link of a mail proves an address.'),
    recovery_link_secs: seconds(3_600, 'How long the link of a mail resets a password.'),
    magic_link_secs: seconds(900, 'How long the link of a mail signs in.'),
    sign_in_code_secs: seconds(60, 'How long the one-time code of a page can be exchanged.'),
    address_change_secs: seconds(86_400, 'How long a change of address can be confirmed.'),
    second_factor_secs: seconds(300, 'How long a sign-in waits for its second factor.'),
    second_factor_enrolment_secs: seconds(900, 'The same for an account that sets up its first.'),
    authenticator_enrolment_secs: seconds(3_600, 'How long an authenticator may be set up.'),
    recent_proof_secs: seconds(
      600,
      'How long a proof allows changes that a stolen access token must not make.',
    ),
    console_refresh_grace_secs: seconds(
      30,
      'How long a used refresh token of the console gives its successor once more.',
    ),
    known_address_secs: seconds(
      1_209_600,
      'How long an address counts as known to an account after a sign-in.',
    ),
    former_slug_days: days(30, 'How long a former slug still refers to its organization.'),
    replaced_signing_secret_hours: hours(24, 'How long a replaced signing secret continues to sign.'),
    hook_delivery_hours: hours(24, 'How long the delivery of a webhook is remembered.'),
    idempotency_key_hours: hours(24, 'How long an Idempotency-Key is remembered.'),
    sign_in_figures_days: days(400, 'How long figures of sign-ins are kept.'),
    failing_endpoint_days: days(7, 'How long all runs of an endpoint may fail before its job is paused.'),
    figures_of_minutes_days: days(14, 'How long figures of runs by the minute are kept.'),
    figures_of_hours_days: days(100, 'How long figures of runs by the hour are kept.'),
    figures_of_days_days: days(1_830, 'How long figures of runs by the day are kept.'),
  },
);
