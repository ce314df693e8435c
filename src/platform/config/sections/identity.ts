import {
  baseUrl,
  domainName,
  ed25519PrivateKey,
  encryptionKey,
  hostName,
  mailAddress,
} from '../schema/formats.js';
import { choice, filePath, flag, integer, listOf, secret, text } from '../schema/kind.js';
import { optional, required, section, setting } from '../schema/setting.js';
import type { Condition } from '../schema/setting.js';

const inProjectProfile: Condition = {
  wording: 'in profile project',
  holds: (facts) => facts.profile === 'project',
};

export const identity = section('Accounts, sessions, signing keys and password hashing.', {
  profile: setting(choice('organization', 'project'), {
    default: 'organization',
    doc: 'Which identity interface is served; fixed once the database holds data.',
  }),
  data_key: optional(secret(encryptionKey()), {
    example: 'env:DATA_KEY',
    doc: 'Key that encrypts sensitive columns; required when database.url is set, otherwise generated when missing.',
  }),
  data_key_previous: setting(listOf(secret(encryptionKey())), {
    default: [],
    doc: 'Earlier data keys, which still decrypt.',
  }),
  jwt_issuer: setting(text(), {
    default: 'service',
    doc: 'Issuer (iss) of access tokens.',
  }),
  jwt_audience: setting(text(), {
    default: 'service',
    doc: 'Audience (aud) of access tokens in profile organization.',
  }),
  access_ttl_secs: setting(integer(1, 86_400), {
    default: 3_600,
    exception: { when: inProjectProfile, value: 900 },
    doc: 'Lifetime of an access token.',
  }),
  refresh_ttl_secs: setting(integer(1, 31_536_000), {
    default: 2_592_000,
    doc: 'Lifetime of a refresh token. Each use starts it again.',
  }),
  refresh_reuse_grace_secs: setting(integer(0, 60), {
    default: 0,
    doc: 'How long a used refresh token gives its successor once more; 0 is strictly single use.',
  }),
  key_publish_lead_secs: setting(integer(0, 86_400), {
    default: 1_200,
    doc: 'How long a signing key is published before it signs, and after its last token expired.',
  }),
  key_rotation_days: setting(integer(0, 3_650), {
    default: 90,
    doc: 'Age at which the signing key is replaced; 0 rotates by hand only.',
  }),
  sign_up: setting(choice('open', 'invited', 'closed'), {
    default: 'open',
    doc: 'Who may create an account: anyone, those who were invited, or nobody.',
  }),
  organization_creation: setting(choice('anyone', 'operator'), {
    default: 'anyone',
    doc: 'Who may create an organization: anyone with an account, or the operator alone.',
  }),
  require_verified_email: setting(flag(), {
    default: false,
    doc: 'Whether an account must prove its address before it may do more than manage itself.',
  }),
  password_check: setting(choice('common', 'off'), {
    default: 'common',
    doc: 'Whether new passwords that are among the 100,000 most used are refused.',
  }),
  password_min_length: setting(integer(8, 128), {
    default: 8,
    doc: 'Fewest characters of a password.',
  }),
  argon2_memory_kib: setting(integer(8_192, 4_194_304), {
    default: 65_536,
    doc: 'Memory of one password hash.',
  }),
  argon2_time_cost: setting(integer(1, 100), {
    default: 3,
    doc: 'Passes of one password hash; the calibrate command proposes a value for the machine.',
  }),
  argon2_parallelism: setting(integer(1, 64), {
    default: 1,
    doc: 'Lanes of one password hash.',
  }),
  hash_concurrency: optional(integer(1, 1_024), {
    example: 4,
    doc: 'Password hashes computed at one time; without it, one per core.',
  }),
  hash_queue_limit: setting(integer(0, 100_000), {
    default: 64,
    doc: 'Password hashes that may wait; past it the answer is 503.',
  }),
  public_url: optional(baseUrl(), {
    example: 'https://service.example.com',
    doc: 'Address under which users reach the service, for links in mail; without it, the listening address.',
  }),
});

export const smtp = section(
  'Outgoing mail of profile organization; without any of these keys no mail is sent. A project has its own.',
  {
    host: required(hostName(), {
      example: 'smtp.example.com',
      doc: 'Mail server.',
    }),
    port: setting(integer(1, 65_535), {
      default: 587,
      doc: 'Port of the mail server.',
    }),
    user: optional(text(), {
      example: 'service',
      doc: 'Name to sign in with; without it, no sign-in.',
    }),
    password: optional(secret(text()), {
      example: 'env:SMTP_PASSWORD',
      doc: 'Password to sign in with.',
    }),
    from: required(mailAddress(), {
      example: 'service@example.com',
      doc: 'Sender of every message.',
    }),
    tls: setting(choice('starttls', 'tls', 'none'), {
      default: 'starttls',
      doc: 'Encryption: demanded after connecting, from the first byte, or none.',
    }),
  },
);

export const auth = section('Signing keys and hosts of profile project.', {
  jwt_dir: optional(filePath(), {
    example: 'keys',
    doc: 'Folder with the private key of each project, <ref>.pem.',
  }),
  jwt_pem: optional(secret(ed25519PrivateKey()), {
    example: 'env:JWT_PEM',
    doc: 'One private key for all projects.',
  }),
  project_domain: optional(domainName(), {
    example: 'projects.example.com',
    doc: 'Domain whose subdomains name projects by their ref.',
  }),
  private_mail_hosts: setting(flag(), {
    default: false,
    doc: 'Whether projects may name mail servers on loopback and private networks, and at any port.',
  }),
});
