/** JSON, or a format that is written in it (RFC 6839, section 3.1). `text/json` was never registered, and is in use. */
export const JSON_TYPE = /^\s*(?:(?:application|text)\/json|[\w!#$&^.-]+\/[\w!#$&^.+-]+\+json)\s*(?:;|$)/i;
/** A parameter, whose value may be quoted (RFC 9110, section 5.6.6). */
const CHARSET = /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"]+))/i;

/** @param contentType the value of `Content-Type` */
export function isJsonType(contentType: string): boolean {
  return JSON_TYPE.test(contentType);
}

/** The charset that a `Content-Type` names, null for none. */
export function charsetOf(contentType: string): string | null {
  const [, double, single, bare] = CHARSET.exec(contentType) ?? [];
  return double ?? single ?? bare ?? null;
}
