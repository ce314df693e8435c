import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

const SECRET_FIELDS =
  /^(?:password|current_password|access_token|refresh_token|token|key|recovery_code|challenge_token|code_verifier)$/;
const SECRET_VARIABLES = /(?:__DATA_KEY|__PASSWORD|__TOKEN)$/;

/** What tests send in place of a secret, to be refused for its length. */
const ONE_CHARACTER = /^(.)\1*$/s;

/** Printed at every start, in the call that the banner proposes; a test makes that very call. */
const PRINTED_EXAMPLE = 'correct horse battery';

const known = new Set<string>();

/** A file of the journal that this run of the tests keeps, or null where nobody keeps one. */
function journalFile(name: string): string | null {
  const { TEST_JOURNAL: folder } = process.env;
  return folder === undefined ? null : join(folder, name);
}

/** Where the log of one more program goes, for the check at the end of the run. */
export function newLogFile(): string | null {
  return journalFile(`${randomBytes(8).toString('hex')}.log`);
}

/** Keeps a secret, which no log may hold. Of a JSON Web Token the signature is what nobody else can make. */
export function recordSecret(secret: string): void {
  const [, , signature] = secret.split('.');
  const kept = secret.startsWith('eyJ') && signature !== undefined ? signature : secret;
  const file = journalFile(`${process.pid}.secrets`);
  if (known.has(kept) || kept.trim() === '' || ONE_CHARACTER.test(kept) || kept === PRINTED_EXAMPLE) return;
  known.add(kept);
  if (file !== null) appendFileSync(file, `${JSON.stringify(kept)}\n`);
}

/** Keeps the secrets in the body of a request or an answer, by the names of its fields. */
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

/** Keeps the secrets of a configuration by variables. */
export function recordSecretsOfVariables(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) if (SECRET_VARIABLES.test(name)) recordSecret(value);
}

/** The secrets that this test file made so far. */
export function recordedSecrets(): string[] {
  return [...known];
}
