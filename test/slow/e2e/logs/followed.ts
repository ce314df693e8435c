import type { Client } from '../../../support/client.js';
import { fetch } from '../../../support/fetch.js';

export interface Line {
  at: string;
  run_id: string;
  job_id: string;
  attempt: number | null;
  level: string;
  message: string;
}

/** A follower of logs, with all that it was sent. */
export class Followed {
  readonly lines: Line[] = [];
  readonly ids: string[] = [];
  status = 0;
  hasEndEvent = false;
  /** Signs of life, for whoever is between and ends what is silent. */
  beats = 0;
  isClosed = false;
  private readonly abort = new AbortController();
  private text = '';

  static async open(client: Client, path: string, lastEventId?: string): Promise<Followed> {
    const followed = new Followed();
    const response = await fetch(`${client.url}${path}`, {
      headers: { ...client.headers, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) },
      signal: followed.abort.signal,
    });
    followed.status = response.status;
    if (response.body !== null) void followed.read(response.body);
    return followed;
  }

  messages(): string[] {
    return this.lines.map(({ message }) => message);
  }

  drop(): void {
    this.abort.abort();
  }

  private async read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    const reader = body.getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        this.text += decoder.decode(value, { stream: true });
        const events = this.text.split('\n\n');
        this.text = events.pop() ?? '';
        for (const event of events) this.take(event);
      }
    } catch {
      // Cut off, by either side.
    }
    this.isClosed = true;
  }

  private take(event: string): void {
    if (event.startsWith('event: end')) this.hasEndEvent = true;
    if (event.startsWith(':')) this.beats += 1;
    const [, id, data] = /^id: (\S+)\ndata: (.*)$/.exec(event) ?? [];
    if (id === undefined || data === undefined) return;
    this.ids.push(id);
    this.lines.push(JSON.parse(data) as Line);
  }
}
