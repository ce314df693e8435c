import type pg from 'pg';
import type { ClientOptions } from '../../postgres/index.js';
import { PreparingClient } from '../prepared-statements.js';
import { sessionSettings } from '../session/session-settings.js';
import { primaryServer } from './primary-server.js';
import type { PrimaryServer } from './primary-server.js';

type Connected = (error: Error | null, client?: pg.Client) => void;

type ServerError = Error & { code?: string; severity?: string };

/** Where the program's data is. */
export interface DatabaseLocation {
  readonly url: string;
  readonly schema: string;
}

/** The driver's own limit ends with the connecting: unanswered, the settings would keep a place in the pool for good. */
const SETTINGS_LIMIT_MS = 5_000;

/** Connections to the server that accepts writes when each of them is opened, with the settings of the program's sessions. */
export function clientFollowing(
  primary: PrimaryServer,
  schema: string,
): new (options?: ClientOptions) => PreparingClient {
  return class FollowingClient extends PreparingClient {
    /** Why the server ended the connection, in whose place the driver may say only that it has ended. */
    private farewell: Error | undefined;

    constructor(options: ClientOptions = {}) {
      const { url } = primary;
      super(url, options);
      // Nobody else listens while the settings are made, nor while the pool hands a connection out: it removes its
      // listener, and TypeORM adds one only after that. Without a listener, a connection that ends in between would end
      // the process. The connection's user still gets the error.
      this.on('error', () => undefined);
      const connection = { url, close: () => this.connection.stream.destroy() };
      primary.add(connection);
      this.connection.on('errorMessage', (refusal: ServerError) => {
        if (refusal.severity === 'FATAL') this.farewell = refusal;
        primary.hear(refusal, connection);
      });
      this.once('end', () => {
        primary.remove(connection);
      });
    }

    override connect(): Promise<pg.Client>;
    override connect(connected: Connected): void;
    override connect(connected?: Connected): Promise<pg.Client> | undefined {
      const opened = this.open();
      if (connected === undefined) return opened;
      opened.then(
        () => {
          connected(null, this);
        },
        (error: unknown) => {
          connected(error as Error);
        },
      );
      return undefined;
    }

    private async open(): Promise<pg.Client> {
      try {
        await super.connect();
      } catch (error) {
        primary.suspect();
        throw error;
      }
      try {
        await this.query({
          text: sessionSettings(schema),
          query_timeout: SETTINGS_LIMIT_MS,
        } as pg.QueryConfig);
      } catch (error) {
        void this.end().catch(() => undefined);
        throw this.farewell ?? error;
      }
      return this;
    }
  };
}

/** A connection outside of the pool, not yet connected, to the server that accepts writes. */
export function clientFor({ url, schema }: ResolvedLater, options: ClientOptions): pg.Client {
  if (url === null) throw new Error('database.url was not resolved before startup');
  return new (clientFollowing(primaryServer(url), schema))(options);
}

/** The section of the configuration: with the embedded default, the URL is known only once the server runs. */
type ResolvedLater = Pick<DatabaseLocation, 'schema'> & { readonly url: string | null };
