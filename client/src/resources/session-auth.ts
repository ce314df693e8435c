import type { CallOptions } from '../http/call.js';
import { OAuthNotSupportedError, ServiceError } from '../service-error.js';
import type { Session, SessionUser } from '../session/session.js';
import type { SessionKeeper, SessionListener } from '../session/session-keeper.js';

/** What both profiles do with a session. */
export abstract class SessionAuth<User extends SessionUser> {
  protected constructor(protected readonly keeper: SessionKeeper<User>) {}

  /** Not offered by the service. @throws OAuthNotSupportedError */
  signInWithOAuth(..._provider: unknown[]): never {
    throw new OAuthNotSupportedError();
  }

  /** Replaces the access token now; calls do it by themselves. @throws ServiceError `signed_out` */
  async refresh({ signal }: CallOptions = {}): Promise<Session<User>> {
    const session = await this.keeper.read();
    const renewed = session === null ? null : await this.keeper.renewed(session.access_token, signal);
    if (renewed !== null) return renewed;
    throw new ServiceError({ code: 'signed_out', message: 'Nobody is signed in.', status: 0 });
  }

  /** The session as it is kept; null when nobody is signed in. Asks nobody. */
  async session(): Promise<Session<User> | null> {
    return await this.keeper.read();
  }

  /** Calls the listener when a session begins, is refreshed or ends, in other tabs too. @returns what ends that */
  onChange(listener: SessionListener<User>): () => void {
    return this.keeper.onChange(listener);
  }
}
