import type { CallOptions } from '../http/call.js';
import type { RedirectOptions } from '../redirects.js';
import type { List } from '../http/list.js';
import type {
  AuditEntry,
  Factor,
  ManagedSession,
  NewUser,
  OperatorUser,
  UserApiKey,
  UserOrganization,
} from '../shapes.js';
import type { OrganizationApi, Paged } from './apis.js';
import { importUsers, MAX_IMPORT_BYTES } from './user-import.js';
import type { ImportOptions, ImportProgress, ImportSource } from './user-import.js';

const USER = '/admin/v1/users/{id}';

interface UserFilter {
  /** An address, or a prefix of it. */
  readonly email?: string | undefined;
  /** Prefixes of words in the address and the name. */
  readonly search?: string | undefined;
}

/** The deployment's accounts. */
export class AdminUsers {
  constructor(private readonly api: OrganizationApi) {}

  /** Newest first. */
  list({ email, search, limit, signal }: UserFilter & Paged & CallOptions = {}): List<OperatorUser> {
    return this.api.list('/admin/v1/users', { query: { email, search, limit }, as: 'operator', signal });
  }

  /** Creates an account with an unverified address. @param mail what to send to it */
  async create(
    { email, password, metadata, locale, mail, redirect_to }: NewUser,
    { signal }: CallOptions = {},
  ): Promise<OperatorUser> {
    const body = { email, password, metadata, locale, mail, redirect_to };
    return await this.api.post('/admin/v1/users', { body, as: 'operator', signal });
  }

  /**
   * Creates accounts with the hashes of another system, in as many requests as necessary. This can be repeated: lines
   * whose address has an account change nothing.
   */
  async import(source: ImportSource, options: ImportOptions = {}): Promise<ImportProgress> {
    const { signal } = options;
    return await importUsers(source, MAX_IMPORT_BYTES, options, (raw, firstLine, headers) =>
      this.api.post('/admin/v1/users/import', {
        query: { first_line: firstLine },
        raw,
        headers,
        as: 'operator',
        signal,
      }),
    );
  }

  async get(id: string, { signal }: CallOptions = {}): Promise<OperatorUser> {
    return await this.api.get(USER, { parameters: { id }, as: 'operator', signal });
  }

  async update(
    id: string,
    { disabled }: { disabled: boolean },
    { signal }: CallOptions = {},
  ): Promise<OperatorUser> {
    return await this.api.patch(USER, { parameters: { id }, body: { disabled }, as: 'operator', signal });
  }

  /** Live sessions, newest first. */
  sessions(id: string, { limit, signal }: Paged & CallOptions = {}): List<ManagedSession> {
    const input = { parameters: { id }, query: { limit }, as: 'operator', signal } as const;
    return this.api.list('/admin/v1/users/{id}/sessions', input);
  }

  /** Ends a session and invalidates its access tokens. */
  async endSession(id: string, sessionId: string, { signal }: CallOptions = {}): Promise<void> {
    const parameters = { id, session_id: sessionId };
    await this.api.delete('/admin/v1/users/{id}/sessions/{session_id}', {
      parameters,
      as: 'operator',
      signal,
    });
  }

  /** Ends all sessions and invalidates their access tokens. */
  async endSessions(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.delete('/admin/v1/users/{id}/sessions', { parameters: { id }, as: 'operator', signal });
  }

  /** Ends all sessions, and notifies the user by mail. */
  async setPassword(id: string, password: string, { signal }: CallOptions = {}): Promise<void> {
    const body = { password };
    await this.api.put('/admin/v1/users/{id}/password', { parameters: { id }, body, as: 'operator', signal });
  }

  /** The same; the user signs in again after a recovery. */
  async removePassword(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.delete('/admin/v1/users/{id}/password', { parameters: { id }, as: 'operator', signal });
  }

  /** Those in force, oldest first. */
  async factors(id: string, { signal }: CallOptions = {}): Promise<Factor[]> {
    return await this.api.get('/admin/v1/users/{id}/factors', {
      parameters: { id },
      as: 'operator',
      signal,
    });
  }

  /** Removes all second factors of a user who has lost them, and ends all sessions. */
  async resetFactors(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.delete('/admin/v1/users/{id}/factors', { parameters: { id }, as: 'operator', signal });
  }

  async sendMail(
    id: string,
    kind: 'verification' | 'recovery',
    { signal, redirect_to }: RedirectOptions = {},
  ): Promise<void> {
    const body = { kind, redirect_to };
    await this.api.post('/admin/v1/users/{id}/mails', { parameters: { id }, body, as: 'operator', signal });
  }

  /** With the user's role in each, and whether it would be left without an owner. */
  organizations(id: string, { limit, signal }: Paged & CallOptions = {}): List<UserOrganization> {
    const input = { parameters: { id }, query: { limit }, as: 'operator', signal } as const;
    return this.api.list('/admin/v1/users/{id}/organizations', input);
  }

  /** The API keys that the user created, in every organization. */
  apiKeys(id: string, { limit, signal }: Paged & CallOptions = {}): List<UserApiKey> {
    const input = { parameters: { id }, query: { limit }, as: 'operator', signal } as const;
    return this.api.list('/admin/v1/users/{id}/api-keys', input);
  }

  async revokeApiKey(id: string, keyId: string, { signal }: CallOptions = {}): Promise<void> {
    const parameters = { id, key_id: keyId };
    await this.api.delete('/admin/v1/users/{id}/api-keys/{key_id}', { parameters, as: 'operator', signal });
  }

  /** The audit entries of the account, newest first. */
  audit(id: string, { limit, signal }: Paged & CallOptions = {}): List<AuditEntry> {
    const input = { parameters: { id }, query: { limit }, as: 'operator', signal } as const;
    return this.api.list('/admin/v1/users/{id}/audit', input);
  }
}
