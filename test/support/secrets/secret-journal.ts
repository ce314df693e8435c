import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

const SECRET_FIELDS =
  /^(?:password|current_password|access_token|refresh_token|token|key|recovery_code|challenge_token|code_verifier)$/;
const SECRET_VARIABLES = /(?:__DATA_KEY|__PASSWORD|__TOKEN)$/;

/** What tests send instead of a secret, to be refused for its length. */
const ONE_CHARACTER = /^(.)\1*$/s;

/** Printed at every start, in the request that the banner suggests. A test sends exactly this request. */
const PRINTED_EXAMPLE = 'correct horse battery';

const known = new Set<string>();

/** The file of the journal that this run of the tests keeps; null if it keeps none. */
function journalFile(name: string): string | null {
  const { TEST_JOURNAL: folder } = process.env;
  return folder === undefined ? null : join(folder, name);
}

/** The log file of another program, for the check at the end of the run. */
export function newLogFile(): string | null {
  return journalFile(`${randomBytes(8).toString('hex')}.log`);
}

/**
 * Records a secret, which no log may contain. For a JSON Web Token, this is the signature, which nobody else can
 * create.
 */
export function recordSecret(secret: string): void {
  const [, , signature] = secret.split('.');
  const kept = secret.startsWith('eyJ') && signature !== undefined ? signature : secret;
  const file = journalFile(`${process.pid}.secrets`);
  if (known.has(kept) || kept.trim() === '' || ONE_CHARACTER.test(kept) || kept === PRINTED_EXAMPLE) return;
  known.add(kept);
  if (file !== null) appendFileSync(file, `${JSON.stringify(kept)}\n`);
}

/** Records the secrets in the body of a request or response, by the names of its fields. */
export function recordSecretsOf(body: unknown): void {
  if (Array.isArray(body)) body.forEach(recordSecretsOf);
  if (typeof body !== 'object' || body === null) return;
  for (const [name, value] of Object.entries(body)) {
    if (typeof value !== 'string') recordSecretsOf(value);
    else if (SECRET_FIELDS.test(name)) recordSecret(value);
    else if (name === 'link' && URL.canParse(value)) recordSecretOfLink(new URL(value));
  }
}

export function recordSecretOfLink(link: URL): void {
  for (const name of ['token', 'code']) {
    const secret = link.searchParams.get(name);
    if (secret !== null) recordSecret(secret);
  }
}

export function recordSecretsOfHeaders(headers: Readonly<Record<string, string>>): void {
  const { authorization, 'x-api-key': apiKey } = headers;
  if (authorization !== undefined) recordSecret(authorization.replace(/^\S+\s+/, ''));
  if (apiKey !== undefined) recordSecret(apiKey);
}

/** Records the secrets in a configuration's variables. */
export function recordSecretsOfVariables(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) if (SECRET_VARIABLES.test(name)) recordSecret(value);
}

/** The secrets that this test file has created so far. */
export function recordedSecrets(): string[] {
  return [...known];
}
