import { sendRaw } from './raw-http.js';

export interface HostAnswer {
  readonly status: number;
  readonly code: string | undefined;
  readonly body: Record<string, unknown> | null;
}

/** Sends a request with this Host header, which fetch does not allow. */
export async function askHost(
  url: string,
  host: string,
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Readonly<Record<string, string>> } = {},
): Promise<HostAnswer> {
  const body = method === 'GET' || method === 'DELETE' ? '' : '{}';
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
  ];
  const { status, text } = await sendRaw(url, `${lines.join('\r\n')}\r\n\r\n${body}`);
  const answer = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : null;
  const error = answer?.error as { code?: string } | undefined;
  return { status, code: error?.code, body: answer };
}
