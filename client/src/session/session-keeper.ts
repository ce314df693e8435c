import { abortable } from '../http/waiting.js';
import type { Bearer } from '../http/transport.js';
import { ServiceError } from '../service-error.js';
import { claimsOf } from './access-token.js';
import { openChannel } from './channel.js';
import type { Channel } from './channel.js';
import { withLock } from './lock.js';
import { isDue, parseSession } from './session.js';
import type { Session, SessionUser } from './session.js';
import { MemoryStorage } from './session-storage.js';
import type { SessionStorage } from './session-storage.js';

export type SessionEvent = 'signed_in' | 'refreshed' | 'signed_out';

export type SessionListener<User extends SessionUser> = (
  event: SessionEvent,
  session: Session<User> | null,
) => void;

/** A change, as other clients are notified of it. Those that share the storage read the session there. */
interface Told {
  event: SessionEvent;
  userId: string | null;
}

/** Requests the session's next pair of tokens from the service. */
type Renewal<User extends SessionUser> = (session: Session<User>) => Promise<Session<User>>;

/** Codes after which a session cannot be refreshed any more. */
const SESSION_OVER = new Set(['invalid_refresh_token', 'refresh_token_reused', 'session_revoked']);

/**
 * Keeps the session and replaces its access token. A refresh token can be used once. So every change of the session
 * takes a lock, and then reads the storage again: meanwhile another call, client or tab may have refreshed or signed
 * out.
 */
export class SessionKeeper<User extends SessionUser> implements Bearer {
  private readonly listeners = new Set<SessionListener<User>>();
  /** Refreshes in progress, by the token that they replace. */
  private readonly renewing = new Map<string, Promise<Session<User> | null>>();
  private channel: Channel | null = null;

  constructor(
    private readonly storage: SessionStorage,
    private readonly key: string,
    private readonly renew: Renewal<User>,
  ) {}

  async read(): Promise<Session<User> | null> {
    return parseSession<User>(await this.storage.getItem(this.key));
  }

  /** Begins a session, which replaces any earlier one. */
  async begin(session: Session<User>): Promise<void> {
    await this.locked(() => this.write(session));
    this.tell('signed_in', session);
  }

  /** Ends the session here, after `leave` has told the service. The session ends even if that fails. */
  async end(leave: (session: Session<User>) => Promise<void>): Promise<void> {
    await this.locked(async () => {
      const session = await this.read();
      if (session === null) return;
      try {
        await leave(session);
      } finally {
        await this.storage.removeItem(this.key);
        this.tell('signed_out', null);
      }
    });
  }

  /** Forgets the session without telling the service. */
  async forget(): Promise<void> {
    await this.end(() => Promise.resolve());
  }

  /** Updates what is known about the user. */
  async learn(user: User): Promise<void> {
    await this.locked(async () => {
      const session = await this.read();
      if (session?.user.id === user.id) await this.write({ ...session, user });
    });
  }

  async token(signal?: AbortSignal): Promise<string | null> {
    const session = await this.read();
    if (session === null) return null;
    return isDue(session, Date.now())
      ? await this.replacementOf(session.access_token, signal)
      : session.access_token;
  }

  async replacementOf(token: string, signal?: AbortSignal): Promise<string | null> {
    return (await this.renewed(token, signal))?.access_token ?? null;
  }

  /**
   * The session with an access token other than this one. Simultaneous callers share one refresh. Null if nobody is
   * signed in. An abort does not end the refresh that others share.
   * @throws ServiceError; the session ends if the service says that it is over
   */
  async renewed(token: string, signal?: AbortSignal): Promise<Session<User> | null> {
    let renewing = this.renewing.get(token);
    if (renewing === undefined) {
      renewing = this.locked(() => this.renewUnlessDone(token)).finally(() => this.renewing.delete(token));
      this.renewing.set(token, renewing);
    }
    return await abortable(renewing, signal);
  }

  /** Calls the listener for every change, also from other tabs. @returns what removes the listener */
  onChange(listener: SessionListener<User>): () => void {
    this.listeners.add(listener);
    this.others();
    return () => {
      this.listeners.delete(listener);
    };
  }

  private async renewUnlessDone(token: string): Promise<Session<User> | null> {
    const session = await this.read();
    // If another user has signed in meanwhile, the previous user's request must not be made in their name.
    if (session === null || (claimsOf(token)?.sub ?? session.user.id) !== session.user.id) return null;
    if (session.access_token !== token && !isDue(session, Date.now())) return session;
    try {
      const renewed = await this.renew(session);
      await this.write(renewed);
      this.tell('refreshed', renewed);
      return renewed;
    } catch (error) {
      if (error instanceof ServiceError && SESSION_OVER.has(error.code)) {
        await this.storage.removeItem(this.key);
        this.tell('signed_out', null);
      }
      throw error;
    }
  }

  private async locked<Result>(work: () => Promise<Result>): Promise<Result> {
    return await (this.storage.withLock?.(this.key, work) ?? withLock(this.key, work));
  }

  private async write(session: Session<User>): Promise<void> {
    await this.storage.setItem(this.key, JSON.stringify(session));
  }

  private tell(event: SessionEvent, session: Session<User> | null): void {
    this.inform(event, session);
    this.others()?.postMessage({ event, userId: session?.user.id ?? null } satisfies Told);
  }

  /** Calls each listener separately: a failure belongs to the listener's program, not to the sign-in or refresh. */
  private inform(event: SessionEvent, session: Session<User> | null): void {
    for (const listener of this.listeners)
      queueMicrotask(() => {
        listener(event, session);
      });
  }

  /** A message may come from another storage of the same name, such as a tab's `sessionStorage`. */
  private async hear({ event, userId }: Told): Promise<void> {
    const session = await this.read();
    if ((session?.user.id ?? null) === userId) this.inform(event, session);
  }

  /** Reaches the clients that share the storage, in this tab and in others of its origin. */
  private others(): Channel | null {
    if (this.storage instanceof MemoryStorage) return null;
    this.channel ??= openChannel(`@service/client ${this.key}`, (message) => {
      // If the storage cannot be read, there is nothing to report.
      this.hear(message as Told).catch(() => undefined);
    });
    return this.channel;
  }
}
