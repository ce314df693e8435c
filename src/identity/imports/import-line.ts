import { objectOf, RawJson } from '../../http/index.js';
import type { BodyLine } from '../../http/index.js';
import { normalMailbox } from '../../platform/mailbox/index.js';
import { costProblem, parseImportedHash, sizeProblem } from '../passwords/imported/imported-hash.js';
import { metadataOf, metadataProblem, NO_METADATA } from '../users/metadata.js';
import type { Metadata } from '../users/metadata.js';
import type { ImportProblem, LineProblem } from './import-report.js';

/** Longer than any name of a field, a tenant or a role. */
const MAX_NAME = 128;

/** A tenant that an account is to belong to, by its slug or ref. */
export interface WantedTenant {
  readonly name: string;
  /** Null where tenants have no roles. */
  readonly role: string | null;
}

/** An account that a line asks for. */
export interface WantedAccount {
  readonly line: number;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly password: { readonly hash: string; readonly kind: string } | null;
  readonly metadata: Metadata;
  /** Null for now. */
  readonly createdAt: Date | null;
  readonly tenants: readonly WantedTenant[];
}

/** The field that names an account's tenants. Each profile has its own. */
export interface TenantField {
  readonly name: string;
  /** @throws LineRefusal */
  read(value: unknown): WantedTenant[];
}

type Fields = Readonly<Record<string, unknown>>;

/** What keeps a line from becoming an account. */
export class LineRefusal extends Error {
  constructor(readonly problem: ImportProblem) {
    super(problem.message);
  }
}

/** @throws LineRefusal */
export function refuse(message: string, code: ImportProblem['code'] = 'invalid_field'): never {
  throw new LineRefusal({ code, message });
}

const FIELDS = new Set(['email', 'email_verified', 'password_hash', 'metadata', 'created_at']);

/** The one form of instants: ISO 8601 in UTC or with an offset. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/** @throws LineRefusal */
export function nameOf(value: unknown, field: string): string {
  if (typeof value !== 'string' || value === '' || value.length > MAX_NAME || value.includes('\0'))
    refuse(`${field} must be text of 1 to ${MAX_NAME} characters.`);
  return value;
}

function passwordOf(value: unknown): WantedAccount['password'] {
  if (value === undefined || value === null) return null;
  const parsed = typeof value === 'string' ? parseImportedHash(value) : null;
  if (parsed === null)
    refuse(
      'password_hash is none of Argon2, bcrypt, scrypt or PBKDF2 in PHC or modular form.',
      'unsupported_hash',
    );
  const misfit = sizeProblem(parsed);
  if (misfit !== null) refuse(`password_hash ${misfit}.`, 'unsupported_hash');
  const problem = costProblem(parsed);
  if (problem !== null) refuse(`password_hash ${problem}.`, 'hash_too_costly');
  return { hash: value as string, kind: parsed.kind };
}

function storableMetadata(value: unknown): Metadata {
  if (!(value instanceof RawJson) || value.text === 'null') return NO_METADATA;
  if (!value.text.startsWith('{')) refuse('metadata must be a JSON object.');
  const metadata = metadataOf(value);
  const problem = metadataProblem(metadata);
  if (problem !== null) refuse(`metadata ${problem}.`);
  return metadata;
}

function createdAtOf(value: unknown, now: Date): Date | null {
  if (value === undefined || value === null) return null;
  const at = typeof value === 'string' && INSTANT.test(value) ? new Date(value) : null;
  if (at === null || Number.isNaN(at.getTime())) refuse('created_at must be an instant in ISO 8601.');
  if (at > now || at.getTime() < 0) refuse('created_at must be between 1970 and now.');
  return at;
}

function accountOf(
  line: number,
  fields: Fields,
  email: string,
  tenantField: TenantField,
  now: Date,
): WantedAccount {
  const unknown = Object.keys(fields).find((field) => !FIELDS.has(field) && field !== tenantField.name);
  if (unknown !== undefined) refuse(`${JSON.stringify(unknown.slice(0, MAX_NAME))} is not a field.`);
  const { email_verified: emailVerified = false } = fields;
  if (typeof emailVerified !== 'boolean') refuse('email_verified must be true or false.');
  return {
    line,
    email,
    emailVerified,
    password: passwordOf(fields.password_hash),
    metadata: storableMetadata(fields.metadata),
    createdAt: createdAtOf(fields.created_at, now),
    tenants: tenantField.read(fields[tenantField.name]),
  };
}

/** The account that a line asks for, or what is wrong with the line. */
export function parseImportLine(
  source: BodyLine,
  line: number,
  tenantField: TenantField,
  now: Date,
): WantedAccount | LineProblem {
  const fields = objectOf(source, 'metadata');
  if (typeof fields === 'string') return { line, email: null, code: 'invalid_line', message: fields };
  const { address: email, problem } = normalMailbox(typeof fields.email === 'string' ? fields.email : '');
  if (email === null) return { line, email, code: 'invalid_field', message: `email ${problem}.` };
  try {
    return accountOf(line, fields, email, tenantField, now);
  } catch (error) {
    if (error instanceof LineRefusal) return { line, email, ...error.problem };
    throw error;
  }
}
