import { Injectable } from '@nestjs/common';
import { ANONYMOUS, actorOf, AuditTrail } from '../../audit/index.js';
import { InvitationTokens } from '../../identity/index.js';
import type { InvitationDescription, RedirectList, TokenPair, UserEntity } from '../../identity/index.js';
import { sha256 } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { Caller, ErrorCode, Origin } from '../../http/index.js';
import { CredentialFailures } from '../../limits/index.js';
import { OrganizationRepository } from '../directory/organization.repository.js';
import type { OrganizationEntity } from '../directory/organization.repository.js';
import { Invitees } from './invitees.js';
import type { AcceptedInvitee, Invitee, Presented } from './invitees.js';
import { InvitationRedemption } from './invitation-redemption.js';
import { InvitationRepository } from './invitation.repository.js';
import type { Invitation } from './invitation.repository.js';

export interface AcceptedInvitation {
  readonly user: UserEntity;
  readonly organization: OrganizationEntity;
  /** For an account that was created, or whose sessions the proof of its address ended; otherwise null. */
  readonly session: TokenPair | null;
}

/** An invitation that was accepted, and where its page ends. */
type EndedInvitation = AcceptedInvitation & { readonly location: string | null };

const RECORDED: ReadonlySet<ErrorCode> = new Set(['wrong_account', 'role_deleted', 'invitation_void']);

/** Accepts invitations by their token. Nothing here requires a membership. */
@Injectable()
export class InvitationAcceptance implements InvitationTokens {
  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationRepository,
    private readonly invitations: InvitationRepository,
    private readonly invitees: Invitees,
    private readonly redemption: InvitationRedemption,
    private readonly audit: AuditTrail,
    private readonly failures: CredentialFailures,
  ) {}

  /** Changes nothing. Null for a token that is not valid. */
  async describe(token: string): Promise<InvitationDescription | null> {
    const invitation = await this.invitations.findByToken(this.database.reader, sha256(token));
    if (invitation === null) return null;
    const organization = await this.organizations.find(this.database.reader, invitation.orgId);
    if (organization === null) return null;
    const { email, role, redirectTo } = invitation;
    const needs = await this.invitees.needs(invitation);
    return { orgName: organization.name, email, role, redirectTo, ...needs };
  }

  /**
   * Accepts for the caller, or with the password of a new account.
   * @throws invalid_token, user_required, wrong_account, sign_in_required, email_not_verified, sign_up_closed,
   *   validation_failed, role_deleted, invitation_void, session_revoked, limit_reached, rate_limited, overloaded
   */
  async accept(token: string, presented: Presented): Promise<AcceptedInvitation> {
    const { caller, origin } = presented;
    const invitation = await this.requireAcceptable(token, origin);
    return await this.recordingRefusal(invitation, caller, origin, async () =>
      this.join(token, invitation, await this.invitees.byCredentials(invitation, presented), origin, null),
    );
  }

  /**
   * Accepts with the password of the invited address's account, or creates the account with it.
   * @throws invalid_token, invalid_credentials, email_not_verified, sign_up_closed, validation_failed, role_deleted,
   *   invitation_void, limit_reached, overloaded
   */
  async acceptWithPassword(token: string, password: string, origin: Origin): Promise<EndedInvitation> {
    const invitation = await this.requireAcceptable(token, origin);
    const list = await this.invitees.redirectList();
    return await this.recordingRefusal(invitation, null, origin, async () => {
      const invitee = await this.invitees.byPassword(invitation, password, origin);
      return await this.join(token, invitation, invitee, origin, list);
    });
  }

  private async requireAcceptable(token: string, origin: Origin): Promise<Invitation> {
    const invitation = await this.invitations.findByToken(this.database.reader, sha256(token));
    if (invitation !== null) return invitation;
    await this.failures.count(origin);
    throw new ServiceError('invalid_token');
  }

  /** Checks everything again under the organization's lock. @param list where its page may end; null without a page */
  private async join(
    token: string,
    { id, orgId }: Invitation,
    invitee: Invitee,
    origin: Origin,
    list: RedirectList | null,
  ): Promise<EndedInvitation> {
    const work = async (
      tx: Tx,
    ): Promise<AcceptedInvitee & Pick<EndedInvitation, 'organization' | 'location'>> => {
      const organization = await this.organizations.lock(tx, orgId);
      const invitation = await this.invitations.findByToken(tx, sha256(token));
      if (organization === null || invitation === null) throw new ServiceError('invalid_token');
      const accepted = await this.invitees.join(tx, invitation, invitee, origin);
      await this.redemption.redeem(tx, invitation, accepted.user, origin);
      const location =
        list === null ? null : await this.invitees.endPage(tx, accepted.user, invitation, list);
      return { ...accepted, organization, location };
    };
    const { opened, ...accepted } = await this.invitees.counted(invitee, origin, () =>
      this.database.serialTransaction(orgId, { type: 'invitation', id }, work),
    );
    return { ...accepted, session: await this.invitees.sessionOf(opened) };
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
          actor: caller === null ? ANONYMOUS : actorOf(caller),
          action: 'invitation.acceptance_refused',
          target: { type: 'invitation', id },
          tenantId: orgId,
          userId: null,
          origin,
          details: { reason: error.code },
        });
      }
      throw error;
    }
  }
}
