import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { KeyRing, UnsealError } from '../../platform/crypto/index.js';
import type { AssociatedData } from '../../platform/crypto/index.js';
import { Clock } from '../../platform/lifecycle/index.js';
import type { RealmId } from '../users/user.repository.js';
import { CHALLENGE_SECS } from './webauthn.js';

/** No other challenge token has a dot: where bodies tell requests apart, they do so by this. */
const PREFIX = 'passkey.';
const NONCE_BYTES = 16;
const INSTANT_BYTES = 8;

/** A token that was handed out, and until when it is good. */
export interface PasskeySignInToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/** Whether the token begins a sign-in by a passkey, as opposed to completing one. */
export function isPasskeySignInToken(token: unknown): boolean {
  return typeof token === 'string' && token.startsWith(PREFIX);
}

function associatedDataOf(realmId: RealmId): AssociatedData {
  return { tenantId: realmId, table: 'used_passkey_tokens', column: 'token', row: realmId };
}

/**
 * The tokens with which strangers begin to sign in by a passkey. They carry their own expiry, sealed under the data key
 * and for one realm, so that any number of them costs nothing: the database learns only of those that sign somebody in.
 */
@Injectable()
export class PasskeySignInTokens {
  constructor(
    private readonly keyRing: KeyRing,
    private readonly clock: Clock,
  ) {}

  issue(realmId: RealmId): PasskeySignInToken {
    const expiresAt = new Date(this.clock.now().getTime() + CHALLENGE_SECS * 1000);
    const content = Buffer.alloc(NONCE_BYTES + INSTANT_BYTES);
    randomBytes(NONCE_BYTES).copy(content);
    content.writeBigInt64BE(BigInt(expiresAt.getTime()), NONCE_BYTES);
    const sealed = this.keyRing.seal(content, associatedDataOf(realmId));
    return { token: `${PREFIX}${sealed.toString('base64url')}`, expiresAt };
  }

  /** Until when the token is good; null for one that is not, or not from here. */
  open(realmId: RealmId, token: string): Date | null {
    const text = token.slice(PREFIX.length);
    const sealed = Buffer.from(text, 'base64url');
    // One text for each token: the mark of its use is made of the text.
    if (!isPasskeySignInToken(token) || sealed.toString('base64url') !== text) return null;
    try {
      const content = this.keyRing.open(sealed, associatedDataOf(realmId));
      const expiresAt = new Date(Number(content.readBigInt64BE(NONCE_BYTES)));
      return expiresAt > this.clock.now() ? expiresAt : null;
    } catch (error) {
      if (error instanceof UnsealError) return null;
      throw error;
    }
  }
}
