/** Work that the scheduler's tick looks for, and does when there is some. */
export interface DueWork {
  readonly name: string;

  /** An SQL expression that tells whether there is any. Part of every tick: an index must answer it. */
  readonly isDue: string;

  /** Does as much as fits one transaction; any number of schedulers may do it at once. @returns whether there may be more */
  doSome(): Promise<boolean>;
}
