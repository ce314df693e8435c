import type { CallOptions } from '../http/call.js';
import { OAuthNotSupportedError, ServiceError } from '../service-error.js';
import type { Session, SessionUser } from '../session/session.js';
import type { SessionKeeper, SessionListener } from '../session/session-keeper.js';

/** Operations on a session in both profiles. */
export abstract class SessionAuth<User extends SessionUser> {
  protected constructor(protected readonly keeper: SessionKeeper<User>) {}

  /** Not offered by the service. @throws OAuthNotSupportedError */
  signInWithOAuth(..._provider: unknown[]): never {
    throw new OAuthNotSupportedError();
  }

  /** Replaces the access token now. Calls do this automatically. @throws ServiceError `signed_out` */
  async refresh({ signal }: CallOptions = {}): Promise<Session<User>> {
    const session = await this.keeper.read();
    const renewed = session === null ? null : await this.keeper.renewed(session.access_token, signal);
    if (renewed !== null) return renewed;
    throw new ServiceError({ code: 'signed_out', message: 'Nobody is signed in.', status: 0 });
  }

  /** The stored session; null if nobody is signed in. Makes no call. */
  async session(): Promise<Session<User> | null> {
    return await this.keeper.read();
  }

  /**
   * Calls the listener when a session begins, is refreshed or ends, in other tabs too. @returns what removes the
   * listener
   */
  onChange(listener: SessionListener<User>): () => void {
    return this.keeper.onChange(listener);
  }
}
