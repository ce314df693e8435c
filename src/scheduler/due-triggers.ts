/** Work that the scheduler's tick checks for, and does when some is due. */
export interface DueWork {
  readonly name: string;

  /** An SQL expression that is true when work is due. It is part of every tick, so an index must answer it. */
  readonly isDue: string;

  /**
   * Does as much as fits into one transaction. Several schedulers may call it concurrently.
   * @returns whether there may be more
   */
  doSome(): Promise<boolean>;
}
