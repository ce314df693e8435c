/**
 * Work of an instance beside its requests. All background services start and stop by this contract.
 *
 * `drain` stops taking new work and finishes running work within the given time (milliseconds); `stop` releases every
 * resource and must not throw.
 */
export interface BackgroundService {
  readonly name: string;
  /** Whether the instance needs it to answer requests. The others start after the port is open. */
  readonly isNeededToServe?: boolean;
  start(): Promise<void>;
  drain?(limitMs: number): Promise<void>;
  stop(): Promise<void>;
}
