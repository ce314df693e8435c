import { connect } from 'node:net';

/** A response, as received. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. For a repeated header, the last value. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const ANSWER_LIMIT_MS = 60_000;

function unchunked(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const lineEnd = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.toString('latin1', at, lineEnd), 16);
    if (!(size > 0)) break;
    parts.push(body.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return Buffer.concat(parts);
}

function parsed(bytes: Buffer): RawAnswer | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = bytes.subarray(headEnd + 4);
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    text: (headers['transfer-encoding'] === 'chunked' ? unchunked(body) : body).toString('utf8'),
  };
}

function isComplete({ headers, text }: RawAnswer, bytes: Buffer): boolean {
  // Continues as long as someone listens.
  if (headers['content-type']?.startsWith('text/event-stream') === true) return text.includes('\n\n');
  const length = headers['content-length'];
  if (length !== undefined) return Buffer.byteLength(text) >= Number(length);
  return headers['transfer-encoding'] === 'chunked' && bytes.toString('latin1').endsWith('0\r\n\r\n');
}

/** Sends exactly these bytes on a new connection, and reads the first response to its end. */
export async function sendRaw(url: string, bytes: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return await new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const socket = connect(Number(port), hostname);
    const finish = (): void => {
      const answer = parsed(received);
      if (answer === null) reject(new Error(`no HTTP answer but: ${received.toString('latin1')}`));
      else resolve(answer);
      socket.destroy();
    };
    socket.setTimeout(ANSWER_LIMIT_MS, () => {
      finish();
    });
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const answer = parsed(received);
      if (answer !== null && isComplete(answer, received)) finish();
    });
    socket.on('close', finish);
    // The server may refuse and close before it has read everything. What it sent before still counts.
    socket.on('error', () => undefined);
    socket.write(bytes);
  });
}

/** The bytes of a request with any headers and body, one `name: value` a line. */
export function rawRequest(
  method: string,
  path: string,
  headers: readonly string[] = [],
  body: string | Buffer = '',
): Buffer {
  const bytes = Buffer.from(body);
  const hasLength = headers.some((header) => /^(?:content-length|transfer-encoding):/i.test(header));
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    ...headers,
    ...(hasLength || (bytes.length === 0 && !/^P/.test(method)) ? [] : [`Content-Length: ${bytes.length}`]),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
}
