import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/index.js';
import { Database } from '../../platform/database/index.js';
import { ServiceError } from '../../platform/http/index.js';
import type { Origin } from '../../platform/http/index.js';
import { CredentialFailures } from '../../platform/limits/index.js';
import { OneTimeTokens } from './one-time-tokens.js';
import type { RealmId } from '../users/user.repository.js';

/** What is said of a token that is not good, and what is kept of the attempt. */
@Injectable()
export class OneTimeTokenRefusals {
  constructor(
    private readonly database: Database,
    private readonly failures: CredentialFailures,
    private readonly tokens: OneTimeTokens,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Records the attempt, with the account where the token was one of its own, and answers the refusal.
   * @throws rate_limited after too many from the address
   */
  async refusal(realmId: RealmId, action: string, token: string, origin: Origin): Promise<ServiceError> {
    await this.failures.count(origin.ip);
    const userId = await this.tokens.findOwnerId(this.database.reader, realmId, token);
    await this.audit.appendAlone({
      actor: { type: 'anonymous', id: null },
      action,
      target: userId === null ? null : { type: 'user', id: userId },
      orgId: null,
      userId,
      origin,
      details: { reason: userId === null ? 'unknown_token' : 'token_void' },
    });
    return new ServiceError('invalid_token');
  }
}
