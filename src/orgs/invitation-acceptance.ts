import { Injectable } from '@nestjs/common';
import { actorOf, AuditTrail } from '../audit/index.js';
import { DEPLOYMENT_REALM, InvitedAccounts } from '../identity/index.js';
import type { InvitationDescription, InvitationEntry, TokenPair, UserEntity } from '../identity/index.js';
import { sha256 } from '../platform/crypto/index.js';
import { Database } from '../platform/database/index.js';
import type { Tx } from '../platform/database/index.js';
import { ServiceError } from '../platform/http/index.js';
import type { Caller, ErrorCode, Origin } from '../platform/http/index.js';
import { InvitationRedemption } from './invitation-redemption.js';
import { InvitationRepository } from './invitation.repository.js';
import type { Invitation } from './invitation.repository.js';
import type { OrganizationEntity } from './organization.entity.js';
import { OrganizationRepository } from './organization.repository.js';

export interface AcceptedInvitation {
  readonly user: UserEntity;
  readonly organization: OrganizationEntity;
  /** Of the account that was made; null where there was one. */
  readonly session: TokenPair | null;
}

/** Who accepts: an account that was proven, or one that is to be made. */
type Entrant = { readonly account: UserEntity } | { readonly passwordHash: string };

const RECORDED: ReadonlySet<ErrorCode> = new Set(['wrong_account', 'role_deleted', 'invitation_void']);

function signInRequired(): ServiceError {
  return new ServiceError('sign_in_required', { headers: { 'WWW-Authenticate': 'Bearer' } });
}

/** Accepts invitations. Its token is the invited person's own; nothing here needs a membership. */
@Injectable()
export class InvitationAcceptance implements InvitationEntry {
  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationRepository,
    private readonly invitations: InvitationRepository,
    private readonly accounts: InvitedAccounts,
    private readonly redemption: InvitationRedemption,
    private readonly audit: AuditTrail,
  ) {}

  /** Changes nothing. Null for a token that accepts nothing (any more). */
  async describe(token: string): Promise<InvitationDescription | null> {
    const invitation = await this.invitations.findByToken(this.database.reader, sha256(token));
    if (invitation === null) return null;
    const organization = await this.organizations.find(this.database.reader, invitation.orgId);
    if (organization === null) return null;
    const { email, role } = invitation;
    const needs = (await this.accountOf(invitation)) === null ? 'password' : 'sign_in';
    return { orgName: organization.name, email, role, needs };
  }

  /**
   * Accepts for the caller, or with a password for a new account.
   * @throws invalid_token, user_required, wrong_account, sign_in_required, validation_failed, role_deleted,
   *   invitation_void, overloaded
   */
  async accept(
    token: string,
    by: { readonly password: string | null; readonly caller: Caller | null; readonly origin: Origin },
  ): Promise<AcceptedInvitation> {
    const invitation = await this.demandAcceptable(token);
    return await this.recordingRefusal(invitation, by.caller, by.origin, async () => {
      const account = await this.accountOf(invitation);
      if (by.caller !== null && by.caller.type !== 'user') throw new ServiceError('user_required');
      if (by.caller !== null && by.caller.userId !== account?.id) throw new ServiceError('wrong_account');
      if (account === null) return await this.enterAnew(token, invitation, by.password, by.origin);
      if (by.caller === null) throw signInRequired();
      return await this.enter(token, invitation, { account }, by.origin);
    });
  }

  /**
   * Accepts for whoever knows the password of the account that the address has, or makes it with this one.
   * @throws invalid_token, invalid_credentials, validation_failed, role_deleted, invitation_void, overloaded
   */
  async acceptWithPassword(token: string, password: string, origin: Origin): Promise<AcceptedInvitation> {
    const invitation = await this.demandAcceptable(token);
    return await this.recordingRefusal(invitation, null, origin, async () => {
      const account = await this.accountOf(invitation);
      if (account === null) return await this.enterAnew(token, invitation, password, origin);
      await this.accounts.prove(account, password, origin);
      return await this.enter(token, invitation, { account }, origin);
    });
  }

  private async demandAcceptable(token: string): Promise<Invitation> {
    const invitation = await this.invitations.findByToken(this.database.reader, sha256(token));
    if (invitation === null) throw new ServiceError('invalid_token');
    return invitation;
  }

  private async accountOf({ email }: Invitation): Promise<UserEntity | null> {
    return await this.accounts.find(this.database.reader, DEPLOYMENT_REALM, email);
  }

  private async enterAnew(
    token: string,
    invitation: Invitation,
    password: string | null,
    origin: Origin,
  ): Promise<AcceptedInvitation> {
    if (password === null) {
      throw new ServiceError('validation_failed', {
        details: [{ path: 'password', message: 'is needed: the invited address has no account yet' }],
      });
    }
    const passwordHash = await this.accounts.hash(password);
    return await this.enter(token, invitation, { passwordHash }, origin);
  }

  /** Everything that was seen before is looked at again, under the organization's lock. */
  private async enter(
    token: string,
    { orgId, email }: Invitation,
    entrant: Entrant,
    origin: Origin,
  ): Promise<AcceptedInvitation> {
    return await this.database.transaction(async (tx) => {
      const organization = await this.organizations.lock(tx, orgId);
      const invitation = await this.invitations.findByToken(tx, sha256(token));
      if (organization === null || invitation === null) throw new ServiceError('invalid_token');
      const session = 'passwordHash' in entrant ? await this.register(tx, email, entrant, origin) : null;
      const user = 'account' in entrant ? await this.confirmed(tx, entrant.account) : session?.user;
      if (user === undefined) throw signInRequired();
      await this.redemption.redeem(tx, invitation, user, origin);
      return { user, organization, session };
    });
  }

  /** Where the address has got an account since, it is for that one to accept. */
  private async register(
    tx: Tx,
    email: string,
    { passwordHash }: { readonly passwordHash: string },
    origin: Origin,
  ): Promise<TokenPair> {
    const session = await this.accounts.create(tx, DEPLOYMENT_REALM, { email, passwordHash }, origin);
    if (session === null) throw signInRequired();
    return session;
  }

  /** The account as it is now; one that was disabled, or given another password, is not proven any more. */
  private async confirmed(tx: Tx, { id, email, passwordHash }: UserEntity): Promise<UserEntity> {
    const current = await this.accounts.find(tx, DEPLOYMENT_REALM, email);
    const isProven =
      current?.id === id && current.disabledAt === null && current.passwordHash === passwordHash;
    if (current === null || !isProven) throw signInRequired();
    return current;
  }

  private async recordingRefusal<Result>(
    { id, orgId }: Invitation,
    caller: Caller | null,
    origin: Origin,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ServiceError && RECORDED.has(error.code)) {
        await this.audit.appendAlone({
          actor: caller === null ? { type: 'anonymous', id: null } : actorOf(caller),
          action: 'invitation.acceptance_refused',
          target: { type: 'invitation', id },
          orgId,
          userId: null,
          origin,
          details: { reason: error.code },
        });
      }
      throw error;
    }
  }
}
