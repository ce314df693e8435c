import { beginSession, endSession, openProject, renewSession, setUp } from './session-routes.js';
import type { Access } from './session-routes.js';
import { openTabs } from './tabs.js';

/** Who has signed in, and with what. `unreachable`: nobody knows, since the service does not answer. */
export type SessionState =
  | { phase: 'starting' }
  | { phase: 'unreachable'; error: unknown }
  | { phase: 'signed-out' }
  | { phase: 'signed-in'; access: Access };

type Listener = () => void;

/** Renewed this long before the access token ends. */
const EARLY_MS = 30_000;

/**
 * The session of this tab. The access token is in memory alone; the refresh token is in a cookie that no script reads,
 * so a reload begins with a renewal.
 */
class Session {
  private state: SessionState = { phase: 'starting' };
  private readonly listeners = new Set<Listener>();
  private renewing: Promise<Access | null> | null = null;
  private renewAt = 0;
  /** Who signs out in one tab has left the others too, and who signs in enters them. */
  private readonly tabs = openTabs('service.console.session', (message) => {
    if (message === 'signed-out') this.become({ phase: 'signed-out' });
    if (message === 'signed-in' && this.state.phase !== 'signed-in') void this.renew();
  });

  readonly subscribe = (listener: Listener): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly read = (): SessionState => this.state;

  /** Looks whether the cookie has a session. */
  async start(): Promise<void> {
    this.become({ phase: 'starting' });
    try {
      await this.renew();
    } catch (error) {
      this.become({ phase: 'unreachable', error });
    }
  }

  /** @throws ServiceError */
  async signIn(credentials: { email: string; password: string }): Promise<void> {
    this.begin(await beginSession(credentials));
    this.tabs.tell('signed-in');
  }

  /** Makes the first operator, who is signed in then. @throws ServiceError */
  async setUp(account: { code: string; email: string; password: string }): Promise<void> {
    this.begin(await setUp(account));
    this.tabs.tell('signed-in');
  }

  /** @throws ServiceError */
  async openProject(serviceKey: string): Promise<void> {
    this.begin(await openProject(serviceKey));
    this.tabs.tell('signed-in');
  }

  async signOut(): Promise<void> {
    try {
      await endSession();
    } finally {
      this.become({ phase: 'signed-out' });
      this.tabs.tell('signed-out');
    }
  }

  /** The access token to call with. @param refused the one that the service did not take */
  readonly token = async (refused?: string): Promise<string> => {
    if (this.state.phase === 'signed-in' && this.state.access.kind === 'account') {
      const { token } = this.state.access;
      if (token !== refused && Date.now() < this.renewAt) return token;
    }
    const access = await this.renew();
    return access?.kind === 'account' ? access.token : '';
  };

  /** One renewal, however many ask; null when the session is over. */
  private async renew(): Promise<Access | null> {
    this.renewing ??= this.renewOnce().finally(() => {
      this.renewing = null;
    });
    return await this.renewing;
  }

  private async renewOnce(): Promise<Access | null> {
    const access = await renewSession();
    if (access === null) this.become({ phase: 'signed-out' });
    else this.begin(access);
    return access;
  }

  private begin(access: Access): void {
    if (access.kind === 'account')
      this.renewAt = Date.now() + Math.max(access.expiresInMs - EARLY_MS, access.expiresInMs / 2);
    this.become({ phase: 'signed-in', access });
  }

  private become(state: SessionState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

export const session = new Session();
