import { Inject, Injectable } from '@nestjs/common';
import { accountEvent } from '../../audit/index.js';
import type { AuditContext } from '../../audit/index.js';
import { DEPLOYMENT_REALM, SessionLiveness, UserRepository } from '../../identity/index.js';
import type { UserEntity } from '../../identity/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { isUuid } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { Origin, UserCaller } from '../../http/index.js';
import type { OrganizationEntity } from '../directory/organization.repository.js';
import { Organizations } from './organizations.js';

interface WantedOrganization {
  readonly slug: string;
  readonly name: string;
}

/** Whose the organization will be: an account, by its id or its address. */
export type OwnerReference = { readonly id: string } | { readonly email: string };

/** Who may create organizations: `identity.organization_creation`. */
@Injectable()
export class OrganizationCreation {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly organizations: Organizations,
    private readonly liveness: SessionLiveness,
  ) {}

  /** For the user, who owns it. @throws permission_denied, slug_taken, session_revoked, invalid_access_token */
  async byUser(caller: UserCaller, wanted: WantedOrganization, origin: Origin): Promise<OrganizationEntity> {
    if (this.config.identity.organizationCreation !== 'anyone') {
      throw new ServiceError('permission_denied', {
        hint: 'Only the operator creates organizations: identity.organization_creation is operator.',
      });
    }
    const { userId } = caller;
    const actor = { type: 'user', id: userId } as const;
    const refusal = accountEvent(userId, { action: 'org.create_refused', origin });
    return await this.liveness.recordingRefusal(refusal, () =>
      this.organizations.create(
        userId,
        wanted,
        { actor, require: (tx) => this.liveness.require(tx, caller) },
        origin,
      ),
    );
  }

  /**
   * For an account that can sign in, whatever the setting. By address, only a proven one: anyone may sign up with any
   * address, and would become the owner in place of whom it belongs to.
   * @throws user_not_found, email_not_verified, slug_taken
   */
  async byOperator(
    owner: OwnerReference,
    wanted: WantedOrganization,
    { actor, origin }: AuditContext,
  ): Promise<OrganizationEntity> {
    const account = await this.find(owner);
    if (account === null) {
      throw new ServiceError('user_not_found', {
        ...('email' in owner && { message: 'There is no user with this address.' }),
        hint: 'An organization needs an owner with an account that is not disabled.',
      });
    }
    if ('email' in owner && !account.emailVerified) {
      throw new ServiceError('email_not_verified', {
        hint: 'Have the owner follow the link of the verification mail, or give owner_id if you know the account.',
        details: [
          { path: 'owner_email', message: 'nobody has proven yet that the account belongs to that address' },
        ],
      });
    }
    const maker = { actor, require: () => Promise.resolve() } as const;
    return await this.organizations.create(account.id, wanted, maker, origin);
  }

  private async find(owner: OwnerReference): Promise<UserEntity | null> {
    const { reader } = this.database;
    const account =
      'email' in owner
        ? await this.users.findByEmail(reader, DEPLOYMENT_REALM, owner.email)
        : isUuid(owner.id)
          ? await this.users.findById(reader, owner.id)
          : null;
    return account?.disabledAt === null ? account : null;
  }
}
