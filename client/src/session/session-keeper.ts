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

/** A change, as other clients learn of it: those that share the storage read the session there. */
interface Told {
  event: SessionEvent;
  userId: string | null;
}

/** Asks the service for the session's next pair of tokens. */
type Renewal<User extends SessionUser> = (session: Session<User>) => Promise<Session<User>>;

/** Answers to a refresh after which there is nothing left to refresh. */
const SESSION_OVER = new Set(['invalid_refresh_token', 'refresh_token_reused', 'session_revoked']);

/**
 * Keeps the session, and replaces its access token. A refresh token is good for one use, so whatever changes the
 * session does it under a lock, and looks at the storage again once it has it: meanwhile another call, client or
 * tab may have refreshed or signed out.
 */
export class SessionKeeper<User extends SessionUser> implements Bearer {
  private readonly listeners = new Set<SessionListener<User>>();
  /** Under way, by the token that is replaced. */
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

  /** Begins a session, in place of one that there was. */
  async begin(session: Session<User>): Promise<void> {
    await this.locked(() => this.write(session));
    this.tell('signed_in', session);
  }

  /** Ends the session here, after `leave` has informed the service. The session ends even if that fails. */
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

  /** What else is known of the user from now on. */
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
   * The session with another access token than this one, from one refresh however many ask; null when nobody is
   * signed in. An abort leaves the refresh to those who share it.
   * @throws ServiceError; when the service says that the session is over, it is
   */
  async renewed(token: string, signal?: AbortSignal): Promise<Session<User> | null> {
    let renewing = this.renewing.get(token);
    if (renewing === undefined) {
      renewing = this.locked(() => this.renewUnlessDone(token)).finally(() => this.renewing.delete(token));
      this.renewing.set(token, renewing);
    }
    return await abortable(renewing, signal);
  }

  /** Calls the listener at every change, of other tabs too. @returns what ends that */
  onChange(listener: SessionListener<User>): () => void {
    this.listeners.add(listener);
    this.others();
    return () => {
      this.listeners.delete(listener);
    };
  }

  private async renewUnlessDone(token: string): Promise<Session<User> | null> {
    const session = await this.read();
    // Where another has signed in meanwhile, what the one before asked for is not done in their name.
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

  /** Each listener by itself: the failure of one is its program's, and not that of a sign-in or a refresh. */
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

  /** Leads to the clients that share the storage, in this tab and in others of its origin. */
  private others(): Channel | null {
    if (this.storage instanceof MemoryStorage) return null;
    this.channel ??= openChannel(`@service/client ${this.key}`, (message) => {
      // A storage that cannot be read has nothing to tell.
      this.hear(message as Told).catch(() => undefined);
    });
    return this.channel;
  }
}
