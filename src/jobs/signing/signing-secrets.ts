import { Injectable, Logger } from '@nestjs/common';
import { SYSTEM, actorOf, AuditTrail } from '../../audit/index.js';
import type { Actor, AuditEvent } from '../../audit/index.js';
import { CacheInvalidation } from '../../cache-invalidation/index.js';
import { SessionLiveness } from '../../identity/index.js';
import { KeyRing, newId } from '../../platform/crypto/index.js';
import type { AssociatedData } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import type { Caller, Origin, TenantId } from '../../http/index.js';
import { Tenancy } from '../../tenancy/index.js';
import { SigningSecretRepository } from './signing-secret.repository.js';
import type { SigningSecretRow } from './signing-secret.repository.js';
import { newStandardSecret } from './standard-webhook.js';

/** Bounds the signatures of one call, and so its headers, however often a tenant rotates in a day. */
const MAX_REPLACED = 4;

/** A secret that signs the calls of a tenant's handlers. */
export interface SigningSecret {
  /** `whsec_…` */
  readonly secret: string;
  /** When it stops signing; null for the current one. */
  readonly signsUntil: Date | null;
}

/** Where a sealed signing secret lies. */
export function signingSecretAssociatedData(tenantId: string, id: string): AssociatedData {
  return { tenantId, table: 'signing_secrets', column: 'sealed_secret', row: id };
}

/** The secrets with which calls to the handlers of a tenant are signed: made on first use, replaced on demand. */
@Injectable()
export class SigningSecrets {
  private readonly logger = new Logger(SigningSecrets.name);

  constructor(
    private readonly database: Database,
    private readonly repository: SigningSecretRepository,
    private readonly keyRing: KeyRing,
    private readonly changes: CacheInvalidation,
    private readonly audit: AuditTrail,
    private readonly tenancy: Tenancy,
    private readonly liveness: SessionLiveness,
  ) {}

  /** The secrets that sign now, the current one first. Creates one if there is none; simultaneous calls create only one. */
  async signing(tenantId: TenantId): Promise<[SigningSecret, ...SigningSecret[]]> {
    const known = await this.read(this.database.reader, tenantId);
    if (known !== null) return known;
    return await this.database.serialTransaction(tenantId, SYSTEM, async (tx) => {
      await this.tenancy.lockAgainstDeletion(tx, tenantId);
      await this.repository.lock(tx, tenantId);
      if ((await this.insert(tx, tenantId)) !== null) {
        await this.audit.append(tx, this.event(tenantId, 'signing_secret.created', SYSTEM, null));
      }
      const made = await this.read(tx, tenantId);
      if (made === null) throw new Error('the signing secret that was made is not there');
      return made;
    });
  }

  /**
   * Creates a new secret. During the overlap the former ones sign as well, and all instances follow. A holder of the
   * secret can call every handler of the tenant even after their session has ended, so the session must be live.
   * @throws session_revoked
   */
  async rotate(tenantId: TenantId, caller: Caller, origin: Origin): Promise<SigningSecret> {
    const actor = actorOf(caller);
    const refusal = this.event(tenantId, 'signing_secret.rotation_refused', actor, origin);
    return await this.liveness.recordingRefusal(refusal, () =>
      this.database.serialTransaction(tenantId, actor, async (tx) => {
        await this.tenancy.lockAgainstDeletion(tx, tenantId);
        if (caller.type === 'user') await this.liveness.require(tx, caller);
        await this.repository.lock(tx, tenantId);
        await this.repository.endCurrent(tx, tenantId);
        const secret = await this.insert(tx, tenantId);
        if (secret === null) throw new Error('the signing secret that was ended is still current');
        await this.repository.prune(tx, tenantId, MAX_REPLACED);
        await this.audit.append(tx, this.event(tenantId, 'signing_secret.rotated', actor, origin));
        await this.changes.announce(tx, { kind: 'signing_secret', id: tenantId });
        return { secret, signsUntil: null };
      }),
    );
  }

  /** Removes the secrets of a tenant that is being deleted. */
  async removeAll(tx: Tx, tenantId: TenantId): Promise<void> {
    await this.repository.deleteAll(tx, tenantId);
    await this.changes.announce(tx, { kind: 'signing_secret', id: tenantId });
  }

  private async read(
    handle: Tx | Reader,
    tenantId: TenantId,
  ): Promise<[SigningSecret, ...SigningSecret[]] | null> {
    const [first, ...others] = await this.repository.signing(handle, tenantId);
    // A replaced secret comes first only if its successor is missing.
    if (first?.signsUntil !== null) return null;
    return [this.open(tenantId, first), ...others.flatMap((row) => this.openIfIntact(tenantId, row))];
  }

  /** A replaced secret that cannot be opened must not keep its successor from signing. */
  private openIfIntact(tenantId: TenantId, row: SigningSecretRow): SigningSecret[] {
    try {
      return [this.open(tenantId, row)];
    } catch (error) {
      this.logger.warn(error, `the replaced signing secret ${row.id} cannot be opened and no longer signs`);
      return [];
    }
  }

  private open(tenantId: TenantId, { id, sealedSecret, signsUntil }: SigningSecretRow): SigningSecret {
    const secret = this.keyRing
      .open(sealedSecret, signingSecretAssociatedData(tenantId, id))
      .toString('utf8');
    return { secret, signsUntil };
  }

  /** The new secret, or null when there is a current one. */
  private async insert(tx: Tx, tenantId: TenantId): Promise<string | null> {
    const [id, secret] = [newId(), newStandardSecret()];
    const sealedSecret = this.keyRing.seal(secret, signingSecretAssociatedData(tenantId, id));
    return (await this.repository.insertSigningSecret(tx, tenantId, { id, sealedSecret })) ? secret : null;
  }

  private event(tenantId: TenantId, action: string, actor: Actor, origin: Origin | null): AuditEvent {
    const target = { type: this.tenancy.auditTarget, id: tenantId };
    return { actor, action, target, tenantId, userId: null, origin };
  }
}
