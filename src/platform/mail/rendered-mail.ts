/** A mail as people read it. */
export interface RenderedMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** One line of visible text, whatever the variables hold. */
export function subjectLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/[\p{Bidi_Control}\u200B\u2060\uFEFF]/gu, '')
    .trim();
}
