import type { CallOptions } from '../../http/call.js';
import type { List } from '../../http/list.js';
import type { Paged, ProjectApi } from '../apis.js';
import type { AuditEntry } from '../../shapes.js';
import type { ManagedSession, ManagedUser, NewManagedUser } from './project-shapes.js';

const USER = '/auth/v1/users/{id}';

/** The project's users; with the service key. */
export class ProjectUsers {
  constructor(private readonly api: ProjectApi) {}

  /** Newest first. @param email how the address begins @param search how words of the address begin */
  list({
    email,
    search,
    limit,
    signal,
  }: { email?: string; search?: string } & Paged & CallOptions = {}): List<ManagedUser> {
    return this.api.list('/auth/v1/users', { query: { email, search, limit }, signal });
  }

  /** Makes an account, whose address is unverified. @param mail what to send to it */
  async create(
    { email, password, mail }: NewManagedUser,
    { signal }: CallOptions = {},
  ): Promise<ManagedUser> {
    return await this.api.post('/auth/v1/users', { body: { email, password, mail }, signal });
  }

  /** Ends all sessions, and notifies the user by mail. */
  async setPassword(id: string, password: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.put('/auth/v1/users/{id}/password', { parameters: { id }, body: { password }, signal });
  }

  /** The same; the user signs in again by a mail. */
  async removePassword(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.delete('/auth/v1/users/{id}/password', { parameters: { id }, signal });
  }

  async sendMail(id: string, kind: 'magic_link' | 'recovery', { signal }: CallOptions = {}): Promise<void> {
    await this.api.post('/auth/v1/users/{id}/mails', { parameters: { id }, body: { kind }, signal });
  }

  /** The audit entries of the account, newest first. */
  audit(id: string, { limit, signal }: Paged & CallOptions = {}): List<AuditEntry> {
    return this.api.list('/auth/v1/users/{id}/audit', { parameters: { id }, query: { limit }, signal });
  }

  async get(id: string, { signal }: CallOptions = {}): Promise<ManagedUser> {
    return await this.api.get(USER, { parameters: { id }, signal });
  }

  /** A disabled user has no session, and gets none. */
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

  /** Ends a session with its access tokens. */
  async endSession(id: string, sessionId: string, { signal }: CallOptions = {}): Promise<void> {
    const parameters = { id, session_id: sessionId };
    await this.api.delete('/auth/v1/users/{id}/sessions/{session_id}', { parameters, signal });
  }

  /** Ends all sessions with their access tokens. */
  async endSessions(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.delete('/auth/v1/users/{id}/sessions', { parameters: { id }, signal });
  }
}
