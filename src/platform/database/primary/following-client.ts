import type pg from 'pg';
import { PreparingClient } from '../prepared-statements.js';
import { primaryServer } from './primary-server.js';
import type { PrimaryServer } from './primary-server.js';

type Connected = (error: Error | null, client?: pg.Client) => void;

/** Connections to the server that accepts writes when each of them is opened. */
export function clientFollowing(primary: PrimaryServer): new (config?: pg.ClientConfig) => PreparingClient {
  return class FollowingClient extends PreparingClient {
    constructor(config: pg.ClientConfig = {}) {
      const { url } = primary;
      super({ ...config, connectionString: url });
      const connection = { url, close: () => this.connection.stream.destroy() };
      primary.add(connection);
      this.connection.on('errorMessage', (refusal: { code?: string; message?: string }) => {
        primary.hear(refusal, connection);
      });
      this.once('end', () => {
        primary.remove(connection);
      });
    }

    override connect(): Promise<pg.Client>;
    override connect(connected: Connected): void;
    override connect(connected?: Connected): Promise<pg.Client> | undefined {
      if (connected === undefined)
        return super.connect().catch((error: unknown) => {
          primary.suspect();
          throw error;
        });
      super.connect((error: Error | null, client?: pg.Client) => {
        if (error !== null) primary.suspect();
        connected(error, client);
      });
      return undefined;
    }
  };
}

/** A connection outside of the pool, not yet connected, to the server that accepts writes. */
export function clientFor(url: string | null, config: pg.ClientConfig): pg.Client {
  if (url === null) throw new Error('database.url was not resolved before startup');
  return new (clientFollowing(primaryServer(url)))(config);
}
