import type { CallOptions } from '../../http/call.js';
import type { RedirectOptions } from '../../redirects.js';
import type { List } from '../../http/list.js';
import type { Paged, ProjectApi } from '../apis.js';
import type { AuditEntry, Factor } from '../../shapes.js';
import { importUsers } from '../user-import.js';
import type { ImportOptions, ImportProgress, ImportSource } from '../user-import.js';
import type { ManagedSession, ManagedUser, NewManagedUser } from './project-shapes.js';

const USER = '/auth/v1/users/{id}';
/** The service accepts 256 KiB. */
const MAX_IMPORT_BYTES = 245_760;

/** The project's users. Needs the service key. */
export class ProjectUsers {
  constructor(private readonly api: ProjectApi) {}

  /** Newest first. @param email a prefix of the address @param search prefixes of words in the address */
  list({
    email,
    search,
    limit,
    signal,
  }: { email?: string; search?: string } & Paged & CallOptions = {}): List<ManagedUser> {
    return this.api.list('/auth/v1/users', { query: { email, search, limit }, signal });
  }

  /** Creates an account with an unverified address. @param mail what to send to it */
  async create(
    { email, password, locale, mail, redirect_to }: NewManagedUser,
    { signal }: CallOptions = {},
  ): Promise<ManagedUser> {
    const body = { email, password, locale, mail, redirect_to };
    return await this.api.post('/auth/v1/users', { body, signal });
  }

  /** Ends all sessions, and notifies the user by mail. */
  async setPassword(id: string, password: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.put('/auth/v1/users/{id}/password', { parameters: { id }, body: { password }, signal });
  }

  /** The same; the user then signs in with a mail. */
  async removePassword(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.delete('/auth/v1/users/{id}/password', { parameters: { id }, signal });
  }

  async sendMail(
    id: string,
    kind: 'magic_link' | 'recovery',
    { signal, redirect_to }: RedirectOptions = {},
  ): Promise<void> {
    const body = { kind, redirect_to };
    await this.api.post('/auth/v1/users/{id}/mails', { parameters: { id }, body, signal });
  }

  /** The audit entries of the account, newest first. */
  audit(id: string, { limit, signal }: Paged & CallOptions = {}): List<AuditEntry> {
    return this.api.list('/auth/v1/users/{id}/audit', { parameters: { id }, query: { limit }, signal });
  }

  /**
   * Creates users with the hashes of another system, in as many requests as necessary. This can be repeated: lines
   * whose address has an account change nothing.
   */
  async import(source: ImportSource, options: ImportOptions = {}): Promise<ImportProgress> {
    const { signal } = options;
    return await importUsers(source, MAX_IMPORT_BYTES, options, (raw, firstLine, headers) =>
      this.api.post('/auth/v1/users/import', { query: { first_line: firstLine }, raw, headers, signal }),
    );
  }

  async get(id: string, { signal }: CallOptions = {}): Promise<ManagedUser> {
    return await this.api.get(USER, { parameters: { id }, signal });
  }

  /** A disabled user has no sessions and cannot get one. */
  async update(
    id: string,
    { disabled }: { disabled: boolean },
    { signal }: CallOptions = {},
  ): Promise<ManagedUser> {
    return await this.api.patch(USER, { parameters: { id }, body: { disabled }, signal });
  }

  async delete(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.delete(USER, { parameters: { id }, signal });
  }

  /** Live sessions, newest first. */
  sessions(id: string, { limit, signal }: Paged & CallOptions = {}): List<ManagedSession> {
    return this.api.list('/auth/v1/users/{id}/sessions', { parameters: { id }, query: { limit }, signal });
  }

  /** Ends a session and invalidates its access tokens. */
  async endSession(id: string, sessionId: string, { signal }: CallOptions = {}): Promise<void> {
    const parameters = { id, session_id: sessionId };
    await this.api.delete('/auth/v1/users/{id}/sessions/{session_id}', { parameters, signal });
  }

  /** Those in force, oldest first. */
  async factors(id: string, { signal }: CallOptions = {}): Promise<Factor[]> {
    return await this.api.get('/auth/v1/users/{id}/factors', { parameters: { id }, signal });
  }

  /** Removes all second factors of a user who has lost them, and ends all sessions. */
  async resetFactors(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.delete('/auth/v1/users/{id}/factors', { parameters: { id }, signal });
  }

  /** Ends all sessions and invalidates their access tokens. */
  async endSessions(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.delete('/auth/v1/users/{id}/sessions', { parameters: { id }, signal });
  }
}
