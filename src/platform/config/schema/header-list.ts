import { single } from './kind.js';
import type { Kind } from './kind.js';

/** A name of a header (RFC 9110, section 5.6.2). */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** A value of a header, without the codes that end it (RFC 9110, section 5.5). */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/;
/** What belongs to the message itself. */
const NOT_GIVEN = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'host',
  'transfer-encoding',
]);

/**
 * Headers in the form of `OTEL_EXPORTER_OTLP_HEADERS`
 * (https://opentelemetry.io/docs/specs/otel/protocol/exporter/#specifying-headers-via-environment-variables).
 */
export function headerList(): Kind<Readonly<Record<string, string>>> {
  return single({
    shape:
      'a list of headers such as "authorization=Bearer%20token,x-team=jobs", none of them of the message itself',
    parse: (text) => {
      const headers: Record<string, string> = {};
      for (const part of text.split(',')) {
        const [, name = '', encoded = ''] = /^\s*([^\s=]+)\s*=(.*)$/s.exec(part) ?? [];
        const value = decoded(encoded.trim());
        if (!NAME.test(name) || value === null || !VALUE.test(value)) return undefined;
        const key = name.toLowerCase();
        if (NOT_GIVEN.has(key) || Object.hasOwn(headers, key)) return undefined;
        headers[key] = value;
      }
      return Object.freeze(headers);
    },
  });
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
