import type { Client } from './client.js';

/** How often this happened, by the service's own metrics; with success, unless another outcome is given. */
export async function authEvents(client: Client, event: string, outcome = 'success'): Promise<number> {
  const { body } = await client.get<string>('/metrics');
  const line = new RegExp(
    `^service_auth_events_total\\{event="${event}",outcome="${outcome}"\\} (\\d+)$`,
    'm',
  );
  return Number(line.exec(body)?.[1] ?? 0);
}
