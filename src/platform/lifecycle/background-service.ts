/**
 * A background background service of an instance. All background services start and stop by this one contract.
 *
 * `drain` stops taking new work and ends what runs within the time given (milliseconds); `stop` lets go
 * of every resource and must not throw.
 */
export interface BackgroundService {
  readonly name: string;
  /** Whether requests cannot be answered without it. All others start once the port is had. */
  readonly isNeededToServe?: boolean;
  start(): Promise<void>;
  drain?(limitMs: number): Promise<void>;
  stop(): Promise<void>;
}
