import { Client } from '../../support/client.js';
import type { Answer } from '../../support/client.js';
import type { Deployment } from '../faults/deployment.js';

/** What the accounts of a drill do. */
export type Kind =
  | 'sign in'
  | 'check permissions'
  | 'refresh'
  | 'refresh twice at once'
  | 'log out'
  | 'refresh after logout'
  | 'create an API key'
  | 'use the API key'
  | 'revoke the API key'
  | 'use the revoked key';

/** A request, from its beginning to its end in milliseconds since the epoch. */
export interface Operation {
  readonly kind: Kind;
  /** What belongs together: a session, a pair of refreshes, or a key. */
  readonly subject: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Null when there was no answer. */
  readonly status: number | null;
  readonly code: string | null;
}

export type Request = (client: Client) => Promise<Answer<Body>>;

export interface Body {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id: string;
  readonly key: string;
  readonly error?: { readonly code: string };
}

const NOTHING: Body = { access_token: '', refresh_token: '', id: '', key: '' };

/** Makes requests to one instance after another, and keeps a record of each. */
export class Operations {
  readonly record: Operation[] = [];

  constructor(private readonly deployment: Deployment) {}

  /** The body of an answer of 2xx; null of any other, and where there was none. */
  async perform(kind: Kind, subject: string, request: Request): Promise<Body | null> {
    const startedAt = Date.now();
    const url = this.deployment.api?.process.url ?? '';
    const answer = await request(new Client(url)).catch(() => null);
    const status = answer?.status ?? null;
    const body: Body | null = answer?.body ?? null;
    this.record.push({
      kind,
      subject,
      startedAt,
      endedAt: Date.now(),
      status,
      code: body?.error?.code ?? null,
    });
    // An answer of 204 has no body.
    return status !== null && status < 300 ? (body ?? NOTHING) : null;
  }
}
