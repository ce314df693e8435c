import { Injectable } from '@nestjs/common';
import { accountEvent, AuditTrail } from '../../audit/index.js';
import { randomToken, sha256 } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { Origin } from '../../http/index.js';
import { RedirectUrls } from '../redirects/redirect-urls.js';
import type { RedirectRequest } from '../redirects/redirect-urls.js';
import { SessionLiveness } from '../sessions/session-liveness.js';
import type { SessionOfCaller } from '../sessions/session-liveness.js';
import { UserRepository } from '../users/user.repository.js';
import type { RealmId } from '../users/user.repository.js';
import { AddressChangeMails } from './address-change-mails.js';
import { AddressChangeRepository } from './address-change.repository.js';

/** Requests of users to change the address of their account. */
@Injectable()
export class AddressChangeRequests {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly changes: AddressChangeRepository,
    private readonly mails: AddressChangeMails,
    private readonly liveness: SessionLiveness,
    private readonly redirects: RedirectUrls,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Sends a link to the new address, and a notice to the old one. Whether another account has the new address is not
   * said here: who reads its mails learns it from the link.
   * @returns until when the link is good
   * @throws validation_failed, mail_not_configured, session_revoked, reauthentication_required
   */
  async request(
    caller: SessionOfCaller,
    wanted: RedirectRequest & { readonly email: string },
    origin: Origin,
  ): Promise<Date> {
    const { userId } = caller;
    const newEmail = wanted.email;
    const known = await this.users.findById(this.database.reader, userId);
    if (known === null) throw new ServiceError('invalid_access_token');
    const redirect = await this.redirects.require(known.realmId as RealmId, wanted);
    await this.mails.requireSendable(known.realmId as RealmId);
    const refusal = accountEvent(userId, { action: 'user.email_change_refused', origin });
    return await this.liveness.recordingRefusal(refusal, () =>
      this.database.serialTransaction(userId, refusal.actor, async (tx) => {
        const user = await this.users.lock(tx, userId);
        if (user === null || user.disabledAt !== null) throw new ServiceError('invalid_access_token');
        await this.liveness.requireRecent(tx, caller);
        if (user.email === newEmail)
          throw new ServiceError('validation_failed', {
            details: [{ path: 'email', message: 'is the address of the account already' }],
          });
        const token = randomToken();
        const expiresAt = await this.changes.insertAddressChange(
          tx,
          user,
          { newEmail, redirect },
          caller.sessionId,
          sha256(token),
        );
        const details = { email: { from: user.email, to: newEmail } };
        await this.audit.append(
          tx,
          accountEvent(userId, { action: 'user.email_change_requested', origin, details }),
        );
        await this.mails.send(tx, user, { newEmail, token }, origin);
        return expiresAt;
      }),
    );
  }
}
