import { createPrivateKey } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';
import { brandColor, httpsUrl, supportUrl } from '../../brand/index.js';
import { normalSender } from '../../mailbox/index.js';
import { redirectPatternProblem } from '../../redirects/index.js';
import { standardSecretProblem } from '../../text/index.js';
import { integer, listOf, single, textMatching } from './kind.js';
import type { Kind } from './kind.js';
import { accepted, refused } from './outcome.js';

/** An origin as a browser or Android puts it into `clientDataJSON` (WebAuthn, section 5.8.1), which is compared exactly. */
export const PASSKEY_ORIGIN =
  /^(?:https:\/\/[a-z0-9_]+(?:[.-][a-z0-9_]+)*(?::[1-9]\d{0,4})?|http:\/\/localhost(?::[1-9]\d{0,4})?|android:apk-key-hash:[\w-]{43})$/;
export const PASSKEY_ORIGIN_SHAPE =
  'an origin in lower case such as "https://app.example.com", without a path, or "android:apk-key-hash:" and a hash';

/** A name or address to bind or to connect to, without scheme or port. */
export function hostName(): Kind<string> {
  return textMatching(/^[^\s/@]+$/, 'a host name or address without scheme, port or spaces');
}

/** A server to connect to, with or without its port. */
export function serverAddress(): Kind<string> {
  return textMatching(
    /^(?:\[[\da-f:.]+\]|[^\s/@:?#,]+)(?::[1-9]\d{0,4})?$/i,
    'a host name or address, with or without its port, such as "sentinel-1:26379"',
  );
}

/** A host as it appears in requests; with the prefix `*.`, every name under it. */
export function hostPattern(): Kind<string> {
  const shape = 'a host name or address without scheme and port, or *.example.com for every name under it';
  const name = /^(?:\*\.)?[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?\.?$/i;
  return single({ shape, parse: (value) => (name.test(value) || isIP(value) !== 0 ? value : undefined) });
}

/** An IP address or a CIDR. A CIDR of all addresses would trust everyone. */
function network(): Kind<string> {
  return single({
    shape: 'an IP address or a CIDR such as "10.0.0.0/8"',
    parse: (value) => {
      if (isIP(value) !== 0) return value;
      const isCidr = ipaddr.isValidCIDR(value) && isIP(value.split('/', 1)[0] ?? '') !== 0;
      return isCidr && !value.endsWith('/0') ? value : undefined;
    },
  });
}

/** Trusted proxies: none, that many in a row, or the listed ones. */
export function trustedProxies(): Kind<false | number | readonly string[]> {
  const hops = integer(1, 16);
  const networks = listOf(network());
  const shape = 'false, a number of proxies from 1 to 16, or a list of IP addresses and CIDRs';
  return {
    shape,
    secrecy: 'open',
    read(written, surroundings) {
      const { value, as } = written;
      if (value === false || (as === 'text' && value === 'false')) return accepted(false);
      if (value === true || value === 'true')
        return refused(`must be ${shape}; in place of true write how many proxies stand in front, such as 1`);
      const count = hops.read(written, surroundings);
      if (count.ok) return count;
      const isNumber = typeof value === 'bigint' || (typeof value === 'string' && /^-?\d+$/.test(value));
      return isNumber ? refused(`must be ${shape}`) : networks.read(written, surroundings);
    },
  };
}

export function domainName(): Kind<string> {
  const label = '[a-z0-9]([a-z0-9-]*[a-z0-9])?';
  return single({
    shape: 'a domain name such as "projects.example.com", without scheme, port or leading dot',
    parse: (value) =>
      new RegExp(`^${label}(\\.${label})*$`, 'i').test(value) ? value.toLowerCase() : undefined,
  });
}

/** `local@domain` or `Name <local@domain>`. */
export function mailSender(): Kind<string> {
  return {
    shape: 'an e-mail address such as "service@example.com"',
    secrecy: 'open',
    read({ value }, surroundings) {
      if (typeof value !== 'string') return refused(`must be ${this.shape}`);
      const text = surroundings.resolve(value);
      if (!text.ok) return text;
      const { address, problem } = normalSender(text.value);
      return address === null ? refused(problem) : accepted(address);
    },
  };
}

/** An AES-256 key. */
export function encryptionKey(): Kind<string> {
  return single({
    shape: 'base64 of exactly 32 bytes; make one with: openssl rand -base64 32',
    // 32 bytes are 43 digits and one character of padding.
    parse: (value) => (/^[A-Za-z0-9+/]{43}=$/.test(value) ? value : undefined),
  });
}

/** The private key that signs tokens of the project profile (RFC 8410). */
export function ed25519PrivateKey(): Kind<string> {
  return single({
    shape: 'an Ed25519 private key as PKCS#8 PEM; make one with: openssl genpkey -algorithm ed25519',
    parse: (value) => {
      try {
        return createPrivateKey(value).asymmetricKeyType === 'ed25519' ? value : undefined;
      } catch {
        return undefined;
      }
    },
  });
}

/** An address under one of the schemes. It may carry a password, so it is never shown. */
export function url(...schemes: readonly string[]): Kind<string> {
  return single({
    shape: `a URL that begins with ${beginnings(schemes)}`,
    secrecy: 'password',
    parse: (value) => (parseUrl(value, schemes) ? value : undefined),
  });
}

/** PostgreSQL keeps 63 bytes of a name; a channel is named after the schema, with 8 characters more. */
const MOST_SCHEMA_BYTES = 55;

/** The schema of the program in its database. Migrations put it into texts of functions, so it has no quotes. */
export function schemaName(): Kind<string> {
  return single({
    shape:
      `the name of a schema for the program alone: letters, digits, spaces, "_" and "-", at most ${MOST_SCHEMA_BYTES} bytes; ` +
      'not public, information_schema, or one that begins with pg_',
    parse: (value) => {
      const isName = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_ -]*[\p{L}\p{N}_-])?$/u.test(value);
      const isTaken = /^(?:pg_.*|information_schema|public)$/.test(value);
      return isName && !isTaken && Buffer.byteLength(value) <= MOST_SCHEMA_BYTES ? value : undefined;
    },
  });
}

/** A secret that verifies webhooks. What is meant for one of Standard Webhooks, and is none, would refuse every call. */
export function webhookSecret(): Kind<string> {
  return single({
    shape:
      'a non-empty string; one that begins with whsec_ goes on in base64, and has nothing before or after it',
    parse: (value) => (value === '' || standardSecretProblem(value) !== null ? undefined : value),
  });
}

/** An address to which paths are appended; a slash at its end is dropped, so that they join cleanly. */
export function baseUrl(): Kind<string> {
  return single({
    shape: 'an http:// or https:// URL without user, query or fragment',
    secrecy: 'password',
    parse: (value) => {
      const parsed = parseUrl(value, ['http', 'https']);
      if (!parsed || parsed.username || parsed.password || /[?#]/.test(value)) return undefined;
      return value.replace(/\/+$/, '');
    },
  });
}

/** An address of handlers, in which the braces are filled in for each call. */
export function handlerUrl(): Kind<string> {
  return single({
    shape: 'an http:// or https:// URL that contains {handler}; besides it only {org} may stand in braces',
    secrecy: 'password',
    parse: (value) => {
      const filled = value.replaceAll('{handler}', 'h').replaceAll('{org}', 'o');
      const isTemplate = value.includes('{handler}') && !/[{}]/.test(filled);
      return isTemplate && parseUrl(filled, ['http', 'https']) ? value : undefined;
    },
  });
}

/** Scheme, host and port of an origin whose scheme is none of the web's. The host may be a name without dots. A star is refused later. */
const OTHER_ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/(?:[a-z0-9.*_-]+|\[[0-9a-f:.]+\])(?::[1-9]\d{0,4})?$/;

/**
 * An origin (RFC 6454) as browsers send it, or `*`. The scheme may be that of an application, as
 * `capacitor://localhost`. Not `null`, which pages of anybody can make their origin (https://fetch.spec.whatwg.org/#origin-header).
 */
export function webOrigin(): Kind<string> {
  return {
    shape: '"*" or an origin such as "https://app.example.com" or "capacitor://localhost", without a path',
    secrecy: 'open',
    read({ value }, surroundings) {
      if (typeof value !== 'string') return refused(`must be ${this.shape}`);
      const text = surroundings.resolve(value);
      if (!text.ok) return text;
      const origin = text.value === '*' ? '*' : originOf(text.value);
      if (origin === undefined) return refused(`must be ${this.shape}`);
      if (origin !== '*' && origin.includes('*'))
        return refused('must name each origin by itself; only "*" alone stands for all of them');
      // To browsers these are two origins. Hardly anybody opens the page by the other one.
      const withoutDot = origin.replace(/\.(?=$|:\d+$)/, '');
      return withoutDot === origin
        ? accepted(origin)
        : refused(`must have no dot at the end of its host; write "${withoutDot}"`);
    },
  };
}

/** As browsers write it. */
function originOf(value: string): string | undefined {
  const written = value.toLowerCase();
  if (!/^(?:https?|ftp|wss?|file):/.test(written)) return OTHER_ORIGIN.test(written) ? written : undefined;
  const url = parseUrl(value, ['http', 'https']);
  if (url === undefined || url.href !== `${url.origin}/`) return undefined;
  // Browsers leave out the port of the scheme, and write a name in its IDNA form.
  return /^[^/]*\/\/[^/?#]+$/.test(written) ? url.origin : undefined;
}

/** An entry of a list of redirect URLs. */
export function redirectUrlPattern(): Kind<string> {
  return {
    shape: 'a URL such as "https://app.example.com/welcome", or with /* at its end for every path under it',
    secrecy: 'open',
    read({ value }, surroundings) {
      if (typeof value !== 'string') return refused(`must be ${this.shape}`);
      const text = surroundings.resolve(value);
      if (!text.ok) return text;
      const problem = redirectPatternProblem(text.value);
      return problem === null ? accepted(text.value) : refused(problem);
    },
  };
}

/**
 * Where passkeys are used: a web origin, or that of an Android application. Browsers have passkeys on `https://` and on
 * `localhost` alone.
 */
export function passkeyOrigin(): Kind<string> {
  return textMatching(PASSKEY_ORIGIN, PASSKEY_ORIGIN_SHAPE);
}

/** A name in mails and on pages: one line of at most 80 characters, without angle brackets. */
export function displayName(): Kind<string> {
  return single({
    shape: 'one line of 1 to 80 characters, without angle brackets and characters that cannot be seen',
    parse: (value) =>
      /^[^<>\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]{1,80}$/u.test(value) &&
      value.trim() !== ''
        ? value.trim()
        : undefined,
  });
}

export function color(): Kind<string> {
  return single({
    shape: 'a colour such as "#0842a0"',
    parse: (value) => brandColor(value) ?? undefined,
  });
}

/** The address of something that mail programs and browsers load. */
export function httpsAddress(): Kind<string> {
  return single({
    shape: 'an https:// URL with a host name and without a user',
    parse: (value) => httpsUrl(value) ?? undefined,
  });
}

export function supportAddress(): Kind<string> {
  return single({
    shape: 'an https:// URL, or mailto: with an e-mail address',
    parse: (value) => supportUrl(value) ?? undefined,
  });
}

export function parseUrl(value: string, schemes: readonly string[]): URL | undefined {
  const hasScheme = schemes.some((scheme) => value.toLowerCase().startsWith(`${scheme}://`));
  if (!hasScheme || /\s/.test(value) || !URL.canParse(value)) return undefined;
  return new URL(value);
}

export function beginnings(schemes: readonly string[]): string {
  return schemes.map((scheme) => `${scheme}://`).join(' or ');
}
