import type { Answer, Client } from './client.js';
import { fetch } from './fetch.js';

export interface ImportReport {
  created: number;
  skipped: number;
  refused: number;
  problems: { line: number; email: string | null; code: string; message: string; hint: string }[];
}

/** Sends lines to an import endpoint. Objects are sent as JSON. */
export async function importLines(
  client: Client,
  path: string,
  lines: readonly (string | Buffer | object)[],
): Promise<Answer<ImportReport>> {
  const parts = lines.flatMap((line) => [
    Buffer.isBuffer(line) ? line : Buffer.from(typeof line === 'string' ? line : JSON.stringify(line)),
    Buffer.from('\n'),
  ]);
  const response = await fetch(`${client.url}${path}`, {
    method: 'POST',
    headers: { ...client.headers, 'content-type': 'application/x-ndjson' },
    body: Buffer.concat(parts),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as ImportReport,
  };
}
