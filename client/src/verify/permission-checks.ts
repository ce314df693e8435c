import { bearerOf } from '../options.js';
import { ServiceError } from '../service-error.js';
import { Transport } from '../http/transport.js';
import type { TransportSettings } from '../http/transport.js';
import { Refusal, unavailable } from './refusal.js';

/** Limits the memory. The oldest entries are removed first. */
const MAX_ENTRIES = 10_000;

/** What the service says of a permission. */
export interface CheckedPermission {
  readonly isAllowed: boolean;
  /** Id of the organization that was asked about. */
  readonly tenant: string;
}

interface Entry {
  readonly checked: Promise<CheckedPermission>;
  readonly expiresAt: number;
}

/** Checks callers' permissions with `permissions/check` of the service, and caches the results for a moment. */
export class PermissionChecks {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly settings: TransportSettings,
    private readonly rememberMs: number,
  ) {}

  /** @throws Refusal: the service's own, or 503 if the service is not available */
  async check(credential: string, org: string | undefined, permission: string): Promise<CheckedPermission> {
    const key = JSON.stringify([credential, org ?? null, permission]);
    const known = this.entries.get(key);
    if (known !== undefined && known.expiresAt > Date.now()) return await known.checked;
    const checked = this.ask(credential, org, permission);
    this.entries.delete(key);
    this.entries.set(key, { checked, expiresAt: Date.now() + this.rememberMs });
    this.evict();
    try {
      return await checked;
    } catch (error) {
      // Failed checks are not cached.
      if (error instanceof Refusal && error.status === 503) this.entries.delete(key);
      throw error;
    }
  }

  private async ask(
    credential: string,
    org: string | undefined,
    permission: string,
  ): Promise<CheckedPermission> {
    const transport = new Transport({ ...this.settings, org }, bearerOf(credential));
    try {
      const check = {
        method: 'POST',
        path: '/auth/v1/permissions/check',
        body: { permissions: [permission] },
      } as const;
      const { body, header: tenant } = await transport.withHeader(check, 'x-service-org-id');
      if (tenant === null) throw unavailable('The answer does not name the organization.', null);
      const { results } = body as { results: Record<string, boolean> };
      return { isAllowed: results[permission] === true, tenant };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const isItsWord = error.code !== 'unexpected_answer' && error.status >= 400 && error.status < 500;
      if (isItsWord && error.status !== 429) throw new Refusal(error);
      throw unavailable('What the caller may do cannot be found out.', error);
    }
  }

  private evict(): void {
    while (this.entries.size > MAX_ENTRIES) {
      const oldest = this.entries.keys().next();
      if (oldest.done === true) return;
      this.entries.delete(oldest.value);
    }
  }
}
