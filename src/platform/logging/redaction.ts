/** Credentials by their shape: JSON Web Tokens, API keys, handler-signing secrets. */
const CREDENTIALS = /eyJ[\w-]+\.[\w-]+\.[\w-]*|svc_[A-Za-z0-9]{8}_[A-Za-z0-9]+|whsec_[A-Za-z0-9+/=]+/g;
const REDACTED = '[redacted]';

/** Makes a function that takes known secrets, and whatever looks like a credential, out of a log line. */
export function redactor(secrets: readonly string[]): (line: string) => string {
  // Short secrets would blot out ordinary words; the configuration refuses none, so they are left alone.
  const needles = secrets
    .filter((secret) => secret.length >= 6)
    .map((secret) => JSON.stringify(secret).slice(1, -1))
    .sort((left, right) => right.length - left.length);
  return (line) =>
    needles.reduce((text, needle) => text.replaceAll(needle, REDACTED), line).replace(CREDENTIALS, REDACTED);
}
