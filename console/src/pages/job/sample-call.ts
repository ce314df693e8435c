import type { Job } from '@service/client';

export type WebhookTrigger = Extract<Job['triggers'][number], { type: 'webhook' }>;
type Verification = WebhookTrigger['verify'];
type Format = NonNullable<Verification['format']>;

const SECRET_BYTES = 32;

const HASHES = { sha1: 'SHA-1', sha256: 'SHA-256', sha512: 'SHA-512' } as const;

/** Where each format has its signature, unless the job names another header. */
const HEADERS: Readonly<Record<Format, string>> = {
  plain: 'X-Signature',
  github: 'X-Hub-Signature-256',
  gitlab: 'X-Gitlab-Token',
  stripe: 'Stripe-Signature',
  slack: 'X-Slack-Signature',
  standard: 'webhook-signature',
};

export function headerOf({ header, format = 'plain', algorithm = 'sha256' }: Verification): string {
  if (header !== undefined) return header;
  return format === 'github' && algorithm === 'sha1' ? 'X-Hub-Signature' : HEADERS[format];
}

/** Where the hook is called. */
export function hookUrl({ path }: WebhookTrigger): string {
  return `${location.origin}/jobs/v1${path}`;
}

/** Browsers sign on secure pages alone: over HTTPS, or on this machine. */
export const canSign = (globalThis as { crypto?: { subtle?: SubtleCrypto } }).crypto?.subtle !== undefined;

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** Makes a secret as the format has it; undefined where the provider makes it. */
export function secretMaker({ format = 'plain' }: Verification): (() => string) | undefined {
  if (format === 'stripe' || format === 'slack') return undefined;
  return () => {
    const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
    return format === 'standard' ? `whsec_${base64(bytes)}` : hex(bytes);
  };
}

/** The key of Standard Webhooks is base64 after `whsec_`. */
function standardKey(secret: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(secret.replace(/^whsec_/, '')), (character) => character.charCodeAt(0));
}

/**
 * The headers with which a provider would sign this body now.
 *
 * @throws DOMException if the secret of Standard Webhooks is not base64
 */
export async function signedHeaders(
  verify: Verification,
  secret: string,
  body: string,
): Promise<Record<string, string>> {
  const { format = 'plain', algorithm = 'sha256' } = verify;
  const header = headerOf(verify);
  const seconds = String(Math.floor(Date.now() / 1_000));
  const encoder = new TextEncoder();
  const sign = async (content: string, key = encoder.encode(secret)): Promise<Uint8Array> => {
    const hmac = { name: 'HMAC', hash: HASHES[algorithm] };
    const imported = await crypto.subtle.importKey('raw', key, hmac, false, ['sign']);
    return new Uint8Array(await crypto.subtle.sign('HMAC', imported, encoder.encode(content)));
  };
  switch (format) {
    case 'plain':
    case 'github':
      return { [header]: `${algorithm}=${hex(await sign(body))}` };
    case 'gitlab':
      return { [header]: secret };
    case 'stripe':
      return { [header]: `t=${seconds},v1=${hex(await sign(`${seconds}.${body}`))}` };
    case 'slack':
      return {
        'X-Slack-Request-Timestamp': seconds,
        [header]: `v0=${hex(await sign(`v0:${seconds}:${body}`))}`,
      };
    case 'standard': {
      const id = `msg_${crypto.randomUUID()}`;
      const sibling = (name: string): string =>
        header.endsWith('signature') ? header.replace(/signature$/, name) : `webhook-${name}`;
      const signature = await sign(`${id}.${seconds}.${body}`, standardKey(secret));
      return {
        [sibling('id')]: id,
        [sibling('timestamp')]: seconds,
        [header]: `v1,${base64(signature)}`,
      };
    }
  }
}
