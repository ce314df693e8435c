/** What an address, a permission or a host name is read in: each part keeps the character that it ends with. */
const PARTS = /[^@.:_/-]*[@.:_/-]+|[^@.:_/-]+$/g;

/** The parts of a long name, in order. */
export function partsOf(text: string): readonly string[] {
  return text.match(PARTS) ?? [];
}
