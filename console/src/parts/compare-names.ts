const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** The order of names: "Job 2" before "Job 10", whatever the case. */
export function compareNames(left: string, right: string): number {
  return collator.compare(left, right);
}
