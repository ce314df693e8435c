/** A decoder of bytes in UTF-8, or in UTF-16 where they begin with its byte order mark. It refuses what is neither. */
export function decoderOf(bytes: Uint8Array): InstanceType<typeof TextDecoder> {
  const [first, second] = bytes;
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be', { fatal: true });
  const isMarked = first === 0xff && second === 0xfe;
  return new TextDecoder(isMarked ? 'utf-16le' : 'utf-8', { fatal: true });
}

/**
 * The text of bytes, without a byte order mark.
 * @param refusal the error for bytes that are not of this charset
 */
export function decode(bytes: Uint8Array, refusal: (charset: string) => Error): string {
  const decoder = decoderOf(bytes);
  try {
    return decoder.decode(bytes);
  } catch {
    throw refusal(decoder.encoding.toUpperCase());
  }
}
