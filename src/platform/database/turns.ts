import pLimit from 'p-limit';
import type { LimitFunction } from 'p-limit';
import { QueueFullError, SerialByKey } from './serial-by-key.js';

/** How many may wait for one turn. Far more than people ask for at once, and few enough to be served within seconds. */
const MAX_WAITING = 100;
/** How many changes of one caller may wait, whatever they are of. */
const MAX_WAITING_OF_CALLER = 100;
/** Lines that one caller stands in at one time, so that nobody fills those of many tenants. */
const LINES_OF_CALLER = 2;

/** Who asks for a turn. Without an id nobody in particular does: the operator, or the program itself. */
export interface Asker {
  readonly type: string;
  readonly id: string | null;
}

interface CallerLines {
  readonly limit: LimitFunction;
  /** How many of the caller's changes are at work or wait. */
  length: number;
}

/**
 * Runs changes one after the other for each tenant. A caller has one change at a time in a tenant's line and stands in few
 * lines; what else it asks for waits behind itself, so that others are served in between.
 */
export class Turns {
  private readonly lines = new SerialByKey(MAX_WAITING);
  private readonly own = new SerialByKey();
  private readonly callers = new Map<string, CallerLines>();
  private readonly linesOfCaller: number;

  /** @param inFlight how many changes are at work at one time; one caller never has all of these places where there are more */
  constructor(inFlight: number) {
    this.linesOfCaller = Math.max(1, Math.min(LINES_OF_CALLER, inFlight - 1));
  }

  /** @throws QueueFullError, and whatever `work` throws */
  async run<Result>(key: string, by: Asker, work: () => Promise<Result>): Promise<Result> {
    const inLine = (): Promise<Result> => this.lines.run(key, work);
    // Users' changes of their own account, such as a logout, wait for nothing else that they have asked for.
    if (by.id === null || by.id === key) return await inLine();
    const caller = JSON.stringify([by.type, by.id]);
    return await this.ofCaller(caller, ({ limit }) =>
      this.own.run(JSON.stringify([caller, key]), () => limit(inLine)),
    );
  }

  private async ofCaller<Result>(
    caller: string,
    work: (lines: CallerLines) => Promise<Result>,
  ): Promise<Result> {
    const lines = this.callers.get(caller) ?? { limit: pLimit(this.linesOfCaller), length: 0 };
    if (lines.length > MAX_WAITING_OF_CALLER)
      throw new QueueFullError('too many changes of one caller wait for their turns');
    this.callers.set(caller, lines);
    lines.length += 1;
    try {
      return await work(lines);
    } finally {
      lines.length -= 1;
      if (lines.length === 0) this.callers.delete(caller);
    }
  }
}
