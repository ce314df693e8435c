/** The styles of an input for code. */
export const MONOSPACE = {
  input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 },
} as const;
