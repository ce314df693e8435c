import { Injectable } from '@nestjs/common';
import { DEPLOYMENT_REALM, RedirectUrls } from '../../identity/index.js';
import type { RedirectRequest } from '../../identity/index.js';
import { isUuid, newId, randomToken, sha256 } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { pageOf, ServiceError } from '../../http/index.js';
import type { Caller, OperatorCaller, Page, Requester, RunCaller, TenantId } from '../../http/index.js';
import type { OrganizationCommand } from '../../rbac/index.js';
import { LockedOrganizationCommands } from '../commands/locked-organization-commands.js';
import { InvitationExpiry } from './invitation-expiry.js';
import { InvitationMail, nameInMail } from './invitation-mail.js';
import { InvitationRules } from './invitation-rules.js';
import { InvitationRepository } from './invitation.repository.js';
import type { Invitation } from './invitation.repository.js';

/** An invitation as its creator sees it once: with the link if no mail was sent. */
export type MadeInvitation = Invitation & { readonly link?: string };

export interface WantedInvitation extends RedirectRequest {
  readonly email: string;
  readonly role: string;
}

/** Creates, lists and revokes the invitations of an organization. */
@Injectable()
export class Invitations {
  constructor(
    private readonly database: Database,
    private readonly commands: LockedOrganizationCommands,
    private readonly invitations: InvitationRepository,
    private readonly expiry: InvitationExpiry,
    private readonly rules: InvitationRules,
    private readonly mail: InvitationMail,
    private readonly redirects: RedirectUrls,
  ) {}

  async list(organizationId: TenantId, limit: number, before: string | null): Promise<Page<Invitation>> {
    const found = await this.invitations.list(this.database.reader, organizationId, limit + 1, before);
    return pageOf(found, limit, (last) => last.id);
  }

  /**
   * Invites an address. A pending invitation of the same address ends with it, and so does its link.
   * @throws validation_failed for a redirect that is not allowed, unknown_role, permission_not_held for what either invitation gives, already_member, limit_reached,
   *   rate_limited; run_token_not_allowed: the inviter's rights count at acceptance, and a run's end with it
   */
  async create(by: Requester, wanted: WantedInvitation): Promise<MadeInvitation> {
    const { caller } = by;
    const { email, role: roleName } = wanted;
    if (caller.type === 'run') throw new ServiceError('run_token_not_allowed');
    if (caller.type === 'operator') throw new ServiceError('not_a_member');
    const redirect = await this.redirects.require(DEPLOYMENT_REALM, wanted);
    const token = randomToken();
    const id = newId();
    const target = { type: 'invitation', id };
    const attempt = { permission: 'auth:members:invite', action: 'invitation.creation', target };
    const invitation = await this.commands.run(by, attempt, async (command) => {
      const { tx, organizationId } = command;
      await this.rules.requireInvitable(command, email, roleName);
      await this.expiry.endExpired(tx, organizationId);
      const replaced = await this.replacePending(command, email);
      await command.requireQuota('pendingInvitations', () =>
        this.invitations.countPending(tx, organizationId),
      );
      const made = await this.invitations.insertInvitation(tx, organizationId, {
        id,
        email,
        role: roleName,
        inviter: inviterOf(caller),
        tokenHash: sha256(token),
        redirectTo: redirect?.url ?? null,
      });
      const action = replaced === null ? 'invitation.created' : 'invitation.replaced';
      await command.record(action, target, {
        email,
        role: roleName,
        ...(replaced === null ? {} : { replaced }),
      });
      await this.mail.count(tx, organizationId, email);
      return { ...made, org: nameInMail(command.organization) };
    });
    const { org, ...made } = invitation;
    return await this.deliver(by, made, org, token);
  }

  /** @throws invitation_not_found, permission_not_held */
  async revoke(by: Requester, id: string): Promise<void> {
    const target = { type: 'invitation', id };
    const attempt = { permission: 'auth:members:invite', action: 'invitation.revocation', target };
    await this.commands.run(by, attempt, async (command) => {
      const { tx, organizationId } = command;
      const revoked = isUuid(id) ? await this.invitations.end(tx, organizationId, id, 'revoked') : null;
      if (revoked === null) throw new ServiceError('invitation_not_found');
      const { email, role } = revoked;
      await this.rules.requireRoleHeld(command, role);
      await command.record('invitation.revoked', { type: 'invitation', id: revoked.id }, { email, role });
    });
  }

  /** @returns the id of the invitation that was replaced */
  private async replacePending(command: OrganizationCommand, email: string): Promise<string | null> {
    const replaced = await this.invitations.replacePending(command.tx, command.organizationId, email);
    if (replaced === null) return null;
    await this.rules.requireRoleHeld(command, replaced.role);
    return replaced.id;
  }

  /** After the commit: the invitation stands, whatever the mail server says. */
  private async deliver(
    by: Requester,
    invitation: Invitation,
    org: string,
    token: string,
  ): Promise<MadeInvitation> {
    const inviter = by.caller.type === 'user' ? by.caller.email : org;
    if (await this.mail.send(invitation, { org, inviter, origin: by.origin }, token)) {
      await this.invitations.markEmailed(this.database.autoCommit, invitation.orgId, invitation.id);
      return { ...invitation, emailed: true };
    }
    await this.invitations.markLinkShown(this.database.autoCommit, invitation.orgId, invitation.id);
    return { ...invitation, link: this.mail.link(token) };
  }
}

function inviterOf(caller: Exclude<Caller, RunCaller | OperatorCaller>): {
  type: 'user' | 'api_key';
  id: string;
} {
  return caller.type === 'user' ? { type: 'user', id: caller.userId } : { type: 'api_key', id: caller.keyId };
}
