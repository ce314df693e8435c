/** Whether a whole number is so large that the browser has rounded it. */
export function hasRounded(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(hasRounded);
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}
