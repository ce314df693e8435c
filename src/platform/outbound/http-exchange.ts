import { Agent, request as requestPlainly } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { Agent as TlsAgent, request as requestOverTls } from 'node:https';

/** A connection that rests for longer is closed, or earlier where the server announces that it will close it. */
const IDLE_MS = 4000;

/** A POST, and how to end it. */
export interface HttpPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/**
 * Posts over HTTP/1.1 with Node's own client, which has no time limits: a handler may work for a day. Connections are kept
 * for the next request, as many as there are requests at a time. Redirects are not followed, and interim responses
 * (RFC 9110, section 15.2), asked for or not, are passed over.
 */
export class HttpExchange {
  // For a connection in use this timeout does nothing.
  private readonly agent = new Agent({ keepAlive: true, timeout: IDLE_MS });
  private readonly tlsAgent = new TlsAgent({ keepAlive: true, timeout: IDLE_MS });

  /** Resolves with the head of the final response. */
  async post({ url, headers, body, signal }: HttpPost): Promise<IncomingMessage> {
    const target = new URL(url);
    return await new Promise((resolve, reject) => {
      const options = { method: 'POST', headers, signal };
      const request =
        target.protocol === 'https:'
          ? requestOverTls(target, { ...options, agent: this.tlsAgent })
          : requestPlainly(target, { ...options, agent: this.agent });
      request.once('response', resolve);
      // Stays for what comes after the response: the response reports that itself.
      request.on('error', reject);
      // A server that switches protocols (101) sends no response, but Node does not treat this as an error.
      request.once('close', () => {
        reject(new Error('the connection closed without an answer'));
      });
      request.end(body);
    });
  }

  /** Closes every connection, those in use too. */
  close(): void {
    this.agent.destroy();
    this.tlsAgent.destroy();
  }
}
