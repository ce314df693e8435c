import type { CallOptions } from '../http/call.js';
import type { Permissions as Effective } from '../shapes.js';
import type { OrganizationApi } from './apis.js';

/** What the caller may do in the client's organization. */
export class Permissions {
  constructor(private readonly api: OrganizationApi) {}

  /** The caller's role and its permissions. */
  async get({ signal }: CallOptions = {}): Promise<Effective> {
    return await this.api.get('/auth/v1/permissions', { signal });
  }

  /** Whether the caller may do this: `data:orders:read`. */
  async can(permission: string, options: CallOptions = {}): Promise<boolean> {
    return (await this.check([permission], options))[permission] === true;
  }

  /** Checks several permissions at once. */
  async check(
    permissions: readonly string[],
    { signal }: CallOptions = {},
  ): Promise<Record<string, boolean>> {
    const body = { permissions: [...permissions] };
    return (await this.api.post('/auth/v1/permissions/check', { body, signal })).results;
  }

  /** Resolves if the caller may, as for a reverse proxy. @throws ServiceError 401, 403 */
  async gate(permission: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.get('/auth/v1/gate', { query: { permission }, signal });
  }
}
