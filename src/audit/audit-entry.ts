import type { Origin } from '../http/index.js';

export interface Actor {
  readonly type: 'user' | 'api_key' | 'project_key' | 'run' | 'operator' | 'system' | 'anonymous';
  readonly id: string | null;
}

export interface Target {
  readonly type: string;
  readonly id: string;
}

/** What happened, as its author says it; the trail adds id, time and place in the chain. */
export interface AuditEvent {
  readonly actor: Actor;
  /** Dotted, subject first: `session.revoked`. */
  readonly action: string;
  readonly target: Target | null;
  /** Whose trail it belongs to: an organization's, or where that is null the user's. */
  readonly orgId: string | null;
  readonly userId: string | null;
  readonly origin: Origin | null;
  readonly details?: Readonly<Record<string, unknown>>;
}
