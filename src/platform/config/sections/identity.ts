import { LANGUAGES } from '../../languages/index.js';
import {
  baseUrl,
  color,
  displayName,
  domainName,
  ed25519PrivateKey,
  encryptionKey,
  hostName,
  httpsAddress,
  mailSender,
  redirectUrlPattern,
  passkeyOrigin,
  supportAddress,
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
  breached_passwords_url: optional(baseUrl(), {
    example: 'https://api.pwnedpasswords.com/range',
    doc: 'Where new passwords are looked up by the first five digits of their SHA-1, in a range API of k-anonymity; without it, nowhere.',
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
  default_locale: setting(choice(...LANGUAGES), {
    default: 'en',
    doc: 'Language of mails and pages for users without one, where the request names none either.',
  }),
  mail_history_days: setting(integer(0, 3_650), {
    default: 30,
    doc: 'How long the outbox lists mails after they were sent or given up.',
  }),
  redirect_urls: setting(listOf(redirectUrlPattern()), {
    default: [],
    doc: 'Where the pages of mails may lead in profile organization; a project has its own list.',
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
    from: required(mailSender(), {
      example: 'service@example.com',
      doc: 'Sender of every message.',
    }),
    tls: setting(choice('starttls', 'tls', 'none'), {
      default: 'starttls',
      doc: 'Encryption: demanded after connecting, from the first byte, or none.',
    }),
  },
);

export const passkeys = section(
  'Passkeys of accounts; in profile project those of operators, and of projects without a host and settings of their own.',
  {
    rp_id: optional(domainName(), {
      example: 'example.com',
      doc: 'Domain that passkeys belong to; without it, the host of identity.public_url. Another one makes all passkeys useless.',
    }),
    rp_name: optional(text(), {
      example: 'Example',
      doc: 'Name that devices show for it; without it, the domain.',
    }),
    origins: setting(listOf(passkeyOrigin()), {
      default: [],
      doc: "Origins on which passkeys are made and used, besides the console's; without any, that of identity.public_url.",
    }),
  },
);

export const brand = section(
  'Look of mails and pages in profile organization. A project has its own, in its settings.',
  {
    name: optional(displayName(), {
      example: 'Acme',
      doc: 'Name of the product, as users know it.',
    }),
    logo_url: optional(httpsAddress(), {
      example: 'https://www.example.com/logo.png',
      doc: 'Image that mail programs and browsers load; shown 40 px high.',
    }),
    color: optional(color(), {
      example: '#0842a0',
      doc: 'Colour of buttons. Text on it is black or white, and links take a shade of it that can be read.',
    }),
    support_url: optional(supportAddress(), {
      example: 'https://www.example.com/help',
      doc: 'Where users find help.',
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
