/** How triggers that follow each other closely become one run, as the job declares and stores it. */
export interface Debounce {
  /** How long the run waits after each trigger. */
  readonly period_ms: number;
  /** How long it waits after the first one at most; without it, as long as triggers keep coming. */
  readonly max_ms?: number;
  /** Where the value is whose triggers are one run: a JSON Pointer (RFC 6901). Without it, all are. */
  readonly key?: string;
}
