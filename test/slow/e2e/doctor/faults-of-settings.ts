import { randomBytes } from 'node:crypto';
import { freePort } from '../../../support/free-port.js';
import type { Fault } from './doctor-run.js';

const only = (changed: Record<string, string>) => (): Record<string, string> => changed;

const NO_MAIL = {
  SERVICE_IDENTITY__SMTP__HOST: '',
  SERVICE_IDENTITY__SMTP__PORT: '',
  SERVICE_IDENTITY__SMTP__FROM: '',
  SERVICE_IDENTITY__SMTP__TLS: '',
};

/** A process whose clock is five minutes fast. */
const FAST_CLOCK = `--import=data:text/javascript,${encodeURIComponent('const now = Date.now; Date.now = () => now() + 300000;')}`;

/** Faults of the configuration and of the machine, for which no server has to change. */
export const FAULTS_OF_SETTINGS: Readonly<Record<string, Fault>> = {
  'a misspelled setting': {
    finds: 'setting_unknown',
    advises: /service\.example\.toml lists every setting/,
    plant: only({ SERVICE_JOBS__WORKER_COUNTS: '4' }),
  },
  'a value of the wrong kind': {
    finds: 'setting_invalid',
    advises: /Correct the value/,
    plant: only({ SERVICE_SERVER__PORT: 'eighty' }),
  },
  'a missing data key': {
    finds: 'setting_missing',
    advises: /Set it/,
    plant: only({ SERVICE_IDENTITY__DATA_KEY: '' }),
  },
  'a configuration file that is not there': {
    finds: 'configuration_unreadable',
    advises: /SERVICE_CONFIG/,
    plant: only({ SERVICE_CONFIG: 'absent.toml' }),
  },
  'a data key of zeros': {
    finds: 'data_key_weak',
    advises: /openssl rand -base64 32/,
    plant: only({ SERVICE_IDENTITY__DATA_KEY: Buffer.alloc(32).toString('base64') }),
  },
  'another data key than that of the database': {
    finds: 'data_key_wrong',
    advises: /the key that the database was first used with/,
    plant: only({ SERVICE_IDENTITY__DATA_KEY: randomBytes(32).toString('base64') }),
  },
  "an operator's token that can be guessed": {
    finds: 'admin_token_weak',
    advises: /openssl rand -hex 32/,
    plant: only({ SERVICE_ADMIN__TOKEN: 'changeme' }),
  },
  'no public address': {
    finds: 'public_url_missing',
    advises: /identity\.public_url/,
    plant: only({ SERVICE_IDENTITY__PUBLIC_URL: '' }),
  },
  'a public address without TLS': {
    finds: 'public_url_without_tls',
    advises: /reverse proxy/,
    plant: only({ SERVICE_IDENTITY__PUBLIC_URL: 'http://service.invalid' }),
  },
  'a proxy that is not trusted': {
    finds: 'proxy_not_trusted',
    advises: /server\.trust_proxy/,
    plant: only({ SERVICE_IDENTITY__PUBLIC_URL: 'https://service.invalid' }),
  },
  'passkeys of another domain than the public address': {
    finds: 'passkeys_elsewhere',
    advises: /rp_id/,
    plant: only({
      SERVICE_IDENTITY__PUBLIC_URL: 'https://service.invalid',
      SERVICE_IDENTITY__PASSKEYS__RP_ID: 'other.invalid',
    }),
  },
  'a public address where nothing answers': {
    finds: 'public_url_unreachable',
    advises: /Start an instance of role api/,
    plant: async () => ({ SERVICE_IDENTITY__PUBLIC_URL: `http://127.0.0.1:${await freePort()}` }),
  },
  'a mail server away': {
    finds: 'mail_unreachable',
    advises: /identity\.smtp\.host/,
    plant: async () => ({ SERVICE_IDENTITY__SMTP__PORT: String(await freePort()) }),
  },
  'a mail server without the TLS that is demanded': {
    finds: 'mail_tls_refused',
    advises: /identity\.smtp\.tls/,
    plant: only({ SERVICE_IDENTITY__SMTP__TLS: 'starttls' }),
  },
  'no mail server': { finds: 'mail_not_configured', advises: /identity\.smtp\.host/, plant: only(NO_MAIL) },
  'proof of addresses without a mail server': {
    finds: 'mail_required',
    advises: /require_verified_email = false/,
    plant: only({ ...NO_MAIL, SERVICE_IDENTITY__REQUIRE_VERIFIED_EMAIL: 'true' }),
  },
  'a collector away': {
    finds: 'collector_unreachable',
    advises: /telemetry\.otlp_url/,
    plant: async () => ({ SERVICE_TELEMETRY__OTLP_URL: `http://127.0.0.1:${await freePort()}` }),
  },
  'a clock that is five minutes fast': {
    finds: 'clock_skew',
    advises: /NTP/,
    plant: only({ NODE_OPTIONS: FAST_CLOCK }),
  },
};
