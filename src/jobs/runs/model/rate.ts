/** How many attempts of a job may begin within a time, as the job declares and stores it. */
export interface Rate {
  readonly limit: number;
  readonly per_ms: number;
  /** Where the value is by which they are counted: a JSON Pointer (RFC 6901). Without it, all count together. */
  readonly key?: string;
}
