import type { PasskeyCredential, PasskeyRequestOptions } from '@service/client';
import {
  beginSession,
  beginSessionWithPasskey,
  completeSession,
  endSession,
  openProject,
  renewSession,
  setUp,
  signUp,
} from './session-routes.js';
import type { Access, SecondProof } from './session-routes.js';
import { openTabs } from './tabs.js';

/** Who has signed in, and with what. `unreachable`: nobody knows, since the service does not answer. */
export type SessionState =
  | { phase: 'starting' }
  | { phase: 'unreachable'; error: unknown }
  | { phase: 'signed-out' }
  | { phase: 'signed-in'; access: Access };

/** Of whom a state is; null where nobody has signed in. What one person saw is none of another's business. */
export function identityOf(state: SessionState): string | null {
  if (state.phase !== 'signed-in') return null;
  const { access } = state;
  return access.kind === 'account' ? `account ${access.user.id}` : `project ${access.project.id}`;
}

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
  /** Raised by each sign-in and sign-out: what was asked before says nothing of the session since. */
  private epoch = 0;
  /** Who signs out in one tab has left the others too, and who signs in enters them. */
  private readonly tabs = openTabs('service.console.session', (message) => {
    if (message === 'signed-out') {
      this.epoch += 1;
      this.become({ phase: 'signed-out' });
    }
    // Also where somebody is signed in: the cookie has the session of the other tab now.
    if (message === 'signed-in') this.renew().catch(() => undefined);
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
    this.enter(await beginSession(credentials));
    this.tabs.tell('signed-in');
  }

  /** Creates an account, which is signed in then. @throws ServiceError */
  async signUp(account: { email: string; password: string }): Promise<void> {
    this.enter(await signUp(account));
    this.tabs.tell('signed-in');
  }

  /** By a passkey alone. @throws ServiceError */
  async signInWithPasskey(
    ask: (options: PasskeyRequestOptions) => Promise<PasskeyCredential>,
  ): Promise<void> {
    this.enter(await beginSessionWithPasskey(ask));
    this.tabs.tell('signed-in');
  }

  /** Completes the sign-in that was refused with this challenge. @throws ServiceError */
  async complete(challengeToken: string, proof: SecondProof): Promise<void> {
    this.enter(await completeSession({ challenge_token: challengeToken, ...proof }));
    this.tabs.tell('signed-in');
  }

  /** Makes the first operator, who is signed in then. @throws ServiceError */
  async setUp(account: { code: string; email: string; password: string }): Promise<void> {
    this.enter(await setUp(account));
    this.tabs.tell('signed-in');
  }

  /** @throws ServiceError */
  async openProject(serviceKey: string): Promise<void> {
    this.enter(await openProject(serviceKey));
    this.tabs.tell('signed-in');
  }

  /** Learns what the account may do now: a factor was added or removed. @throws ServiceError when the service is away */
  async renewRights(): Promise<void> {
    await this.renew();
    this.tabs.tell('signed-in');
  }

  /** @throws ServiceError while the service is away; one is still signed in then, and the page says so */
  async signOut(): Promise<void> {
    await endSession();
    this.epoch += 1;
    this.become({ phase: 'signed-out' });
    this.tabs.tell('signed-out');
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
    const { epoch } = this;
    const access = await renewSession();
    if (epoch !== this.epoch) return this.state.phase === 'signed-in' ? this.state.access : null;
    if (access === null) this.become({ phase: 'signed-out' });
    else this.begin(access);
    return access;
  }

  private enter(access: Access): void {
    this.epoch += 1;
    this.begin(access);
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
