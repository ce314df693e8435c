import { sectionOf } from './config.js';
import type { Config } from './config.js';
import { declaration, variableOf } from './declaration.js';
import type { SectionName } from './declaration.js';
import { serverUrls } from './schema/server-urls.js';
import { camelCase } from './schema/setting.js';
import type { Facts, Section, WrittenSettings } from './schema/setting.js';
import type { Kind } from './schema/kind.js';

/** Where a value comes from; `generated`: the embedded default made it at a start. */
export type SettingSource = 'file' | 'env' | 'default' | 'generated';

/** A setting as it is in force, with nothing secret in it. */
export interface SettingInForce {
  readonly name: string;
  readonly variable: string;
  readonly value: unknown;
  /** What is in force where the setting is not written; null where there is no default. */
  readonly default: unknown;
  readonly source: SettingSource;
  readonly description: string;
  /** Whether the value, if there is one, is shown as a mask, wholly or in part. */
  readonly isSecret: boolean;
}

/** What stands for a secret. */
export const MASK = '••••••••';

const sectionNames = Object.keys(declaration) as SectionName[];
/** Parameters of addresses that carry no secret; what others say of a connection is not known here. */
const OPEN_PARAMETERS = new Set([
  'sslmode',
  'application_name',
  'connect_timeout',
  'target_session_attrs',
  'family',
]);

/** Every setting that the deployment has, in the order of the example file. */
export function settingsInForce(config: Config, written: WrittenSettings): SettingInForce[] {
  const facts: Facts = {
    hasExternalDatabase: written['database.url'] !== undefined,
    profile: config.identity.profile,
  };
  return sectionNames.flatMap((section) => {
    const values = sectionOf(config, section);
    const { settings }: Section = declaration[section];
    return Object.entries(settings).map(([key, setting]): SettingInForce => {
      const { kind, doc, exception, default: standard } = setting;
      const name = `${section}.${key}`;
      const value = values?.[camelCase(key)] ?? null;
      const isWritten = written[name] ?? entrySource(written, `${name}.`);
      const usual = exception?.when.holds(facts) ? exception.value : standard;
      // The default of a secret is none, so one that nobody wrote was made at the first start.
      const isGenerated = isWritten === null && kind.secrecy === 'whole' && value !== null && !isEmpty(value);
      return {
        name,
        variable: variableOf(name),
        value: shownOf(value, name, kind),
        default: usual ?? null,
        source: isWritten ?? (isGenerated ? 'generated' : 'default'),
        description: doc,
        isSecret: kind.secrecy !== 'open',
      };
    });
  });
}

/** Of a table, whose entries are what is written. */
function entrySource(written: WrittenSettings, prefix: string): 'file' | 'env' | null {
  const name = Object.keys(written).find((key) => key.startsWith(prefix));
  return (name === undefined ? undefined : written[name]) ?? null;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Settings that are kept out of logs as a whole, although only a part of them is secret. */
const ADDRESSES = new Set(['database.url', 'redis.url']);

/** The value without what is secret in it. */
function shownOf(value: unknown, name: string, kind: Kind<unknown>): unknown {
  if (kind.secrecy === 'open') return value instanceof Set ? [...(value as Set<unknown>)] : value;
  const shown = kind.secrecy === 'password' || ADDRESSES.has(name) ? maskedAddress : () => MASK;
  return masked(value, shown);
}

function masked(value: unknown, shown: (text: string) => string): unknown {
  if (value === null) return null;
  if (typeof value === 'string') return shown(value);
  if (Array.isArray(value)) return value.map((item: unknown) => masked(item, shown));
  if (typeof value !== 'object') return MASK;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, masked(item, shown)]));
}

/**
 * An address without its password, and without the parameters that may be secret. Of a web address, the user may be a
 * token, and so may a part of the path before which a handler is named.
 */
function maskedAddress(text: string): string {
  const [first, ...others] = serverUrls(text);
  if (others.length > 0 && text.startsWith('postgres')) return maskedServers([first, ...others]);
  // Addresses of handlers have names in braces, which stand for parts of an address.
  const filled = text.replaceAll('{', 'brace-open-').replaceAll('}', '-brace-close');
  if (!URL.canParse(filled)) return MASK;
  const { protocol, username, password, host, pathname, searchParams, hash } = new URL(filled);
  const isWeb = /^https?:$/.test(protocol);
  const isOpen = password === '' && searchParams.size === 0 && hash === '';
  if (isOpen && (!isWeb || (username === '' && filled === text))) return text;
  const credentials = password === '' ? '' : `:${MASK}`;
  const name = isWeb ? MASK : `${username}${credentials}`;
  const user = username === '' && password === '' ? '' : `${name}@`;
  const path = isWeb && filled !== text ? maskedPath(pathname) : pathname;
  const parameters = [...searchParams].map(
    ([parameter, value]) => `${parameter}=${OPEN_PARAMETERS.has(parameter) ? value : MASK}`,
  );
  const query = parameters.length === 0 ? '' : `?${parameters.join('&')}`;
  const shown = `${protocol}//${user}${host}${path}${query}${hash === '' ? '' : `#${MASK}`}`;
  return shown.replaceAll('brace-open-', '{').replaceAll('-brace-close', '}');
}

/** The address of a database on several servers. */
function maskedServers(urls: readonly [string, ...string[]]): string {
  if (!urls.every((url) => URL.canParse(url))) return MASK;
  const hosts = urls.map((url) => new URL(url).host);
  return maskedAddress(urls[0]).replace(hosts[0] ?? '', hosts.join(','));
}

/** A path of which only the parts with names in braces are shown. */
function maskedPath(pathname: string): string {
  const shown = (part: string): string => (part === '' || part.includes('brace-open-') ? part : MASK);
  return pathname.split('/').map(shown).join('/');
}
