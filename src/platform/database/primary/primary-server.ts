import { Logger } from '@nestjs/common';
import { serverUrls } from '../../config/index.js';
import { PostgresClient } from '../../postgres/index.js';

/** On for a standby, and by default_transaction_read_only. */
export const IS_READ_ONLY = `SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly"`;

const ANSWER_LIMIT_MS = 3_000;
/** How long the server in use may stay silent before the connections to it, which may hang as well, are closed. */
const SILENCE_MS = 3_000;
/** How a connection fails that nobody answers, in the words of the driver and the codes of Node.js. */
const SILENCE = /^(timeout expired|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;
/** The server of a connection has become read-only. */
const READ_ONLY = '25006';
/** The connection does not have a statement that was prepared on it, or has it already: a pooler has given it another server. */
const LOST_STATEMENT = /^(26000|42P05)$/;
const STALE_PLAN = /^cached plan must not change result type/;
/** What the server refuses every statement of its kind for, and connections that it has may go on. */
const REFUSED = /^(25006|42501|42P01|53[124]..|58...|XX00[12])$/;
/** Errors that waiting does not mend: a refused account or password, and a missing database. */
const REFUSALS = /^(28...|3D...)$/;

/** None of the servers accepts writes: they are away, or all of them are standbys. */
export class NoPrimaryError extends Error {
  override readonly name = 'NoPrimaryError';
  /** cannot_connect_now, as a server that starts says it. */
  readonly code = '57P03';
}

/** A connection that can be closed without an answer of its server. */
interface OpenConnection {
  readonly url: string;
  close(): void;
}

/**
 * Which of the servers that `database.url` names accepts writes. With one server, it is that one, and nobody asks.
 *
 * The server in use stays in use for as long as it accepts writes. After a failover, the connections to the former one
 * are closed: over a network that was cut, their statements would wait for an answer for minutes.
 */
export class PrimaryServer {
  private readonly logger = new Logger('Database');
  private readonly connections = new Set<OpenConnection>();
  private search: Promise<string> | null = null;
  private inUse: string;
  private silentSince: number | null = null;
  private refused: { readonly code: string; readonly at: number } | null = null;

  constructor(private readonly urls: readonly [string, ...string[]]) {
    [this.inUse] = urls;
  }

  /** Of the server that is in use. */
  get url(): string {
    return this.inUse;
  }

  get hasSeveralServers(): boolean {
    return this.urls.length > 1;
  }

  /**
   * Finds the server that accepts writes, and puts it in use.
   * @returns its URL
   * @throws NoPrimaryError, or the error of a server that refuses the program
   */
  async find(): Promise<string> {
    if (!this.hasSeveralServers) return this.inUse;
    this.search ??= this.findNow().finally(() => {
      this.search = null;
    });
    return await this.search;
  }

  /** Checks the server in use in the background, because a connection to it failed. */
  suspect(): void {
    this.find().catch(() => undefined);
  }

  /**
   * What an open connection was refused. Read-only servers stay so for the connections that they have; the name of the server
   * may lead elsewhere meanwhile. So all connections are closed, and new ones are opened to where the name leads.
   */
  hear(
    { code = '', message = '' }: { code?: string | undefined; message?: string | undefined },
    by: OpenConnection,
  ): void {
    if (REFUSED.test(code)) this.refused = { code, at: performance.now() };
    const isLost = LOST_STATEMENT.test(code) || STALE_PLAN.test(message);
    if (code !== READ_ONLY && !isLost) return;
    // Whoever sent the statement gets the error first.
    setImmediate(() => {
      if (isLost) by.close();
      else this.close((url) => url === by.url);
    });
    if (code === READ_ONLY) this.suspect();
  }

  /** The last refusal of a statement within this time; null for none. */
  refusalWithin(limitMs: number): { readonly code: string } | null {
    return this.refused !== null && performance.now() - this.refused.at < limitMs ? this.refused : null;
  }

  add(connection: OpenConnection): void {
    this.connections.add(connection);
  }

  remove(connection: OpenConnection): void {
    this.connections.delete(connection);
  }

  private async findNow(): Promise<string> {
    const former = this.inUse;
    const answer = await answerOf(former);
    if (answer.acceptsWrites) {
      this.silentSince = null;
      return former;
    }
    const others = this.urls.filter((url) => url !== former).map((url) => [url, answerOf(url)] as const);
    const found = await firstThatAcceptsWrites(others);
    if (found === null) throw this.missed([answer, ...(await Promise.all(others.map(([, other]) => other)))]);
    this.silentSince = null;
    this.inUse = found;
    this.logger.warn(`PostgreSQL at ${hostOf(former)} does not accept writes; using ${hostOf(found)}`);
    this.close((url) => url !== found);
    return found;
  }

  /**
   * A server that refuses another connection, because it has too many or the password has changed, may go on serving those
   * that it has.
   */
  private missed(answers: readonly [Answer, ...Answer[]]): Error {
    const now = performance.now();
    this.silentSince = answers[0].isSilent ? (this.silentSince ?? now) : null;
    if (this.silentSince !== null && now - this.silentSince >= SILENCE_MS) this.close(() => true);
    const errors = answers.flatMap(({ error }) => error ?? []);
    const hosts = this.urls.map(hostOf).join(', ');
    return (
      errors.find((error) => 'path' in error || ('code' in error && REFUSALS.test(String(error.code)))) ??
      new NoPrimaryError(`none of the servers ${hosts} accepts writes`, { cause: errors[0] })
    );
  }

  private close(isOf: (url: string) => boolean): void {
    for (const connection of this.connections) if (isOf(connection.url)) connection.close();
  }
}

interface Answer {
  readonly acceptsWrites: boolean;
  /** Whether nothing came back at all. */
  readonly isSilent: boolean;
  readonly error?: Error;
}

async function answerOf(url: string): Promise<Answer> {
  let client: PostgresClient | null = null;
  let isConnected = false;
  try {
    // Reads the files that the URL names.
    client = new PostgresClient(url, {
      application_name: 'service-primary',
      connectionTimeoutMillis: ANSWER_LIMIT_MS,
      query_timeout: ANSWER_LIMIT_MS,
    });
    client.on('error', () => undefined);
    await client.connect();
    isConnected = true;
    const { rows } = await client.query<{ isReadOnly: boolean }>(IS_READ_ONLY);
    return { acceptsWrites: rows[0]?.isReadOnly === false, isSilent: false };
  } catch (thrown) {
    const error: Error & { code?: unknown } = thrown instanceof Error ? thrown : new Error(String(thrown));
    const isSilent = !isConnected && (SILENCE.test(error.message) || SILENCE.test(String(error.code)));
    return { acceptsWrites: false, isSilent, error };
  } finally {
    // The server of a cut connection does not answer the farewell.
    client?.connection.stream.destroy();
  }
}

async function firstThatAcceptsWrites(
  answers: readonly (readonly [string, Promise<Answer>])[],
): Promise<string | null> {
  const asked = answers.map(async ([url, answer]) => {
    if ((await answer).acceptsWrites) return url;
    throw new Error('it does not');
  });
  return await Promise.any(asked).catch(() => null);
}

function hostOf(url: string): string {
  return new URL(url).host;
}

const known = new Map<string, PrimaryServer>();

/** The servers of a URL, which everything in the process that connects to them shares. */
export function primaryServer(url: string): PrimaryServer {
  const server = known.get(url) ?? new PrimaryServer(serverUrls(url));
  known.set(url, server);
  return server;
}
