const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Markup, as opposed to text that has yet to be escaped. */
export class Html {
  constructor(readonly markup: string) {}
}

type Part = Html | string | number | null | readonly (Html | string)[];

function markupOf(part: Part): string {
  if (part === null) return '';
  if (part instanceof Html) return part.markup;
  if (typeof part === 'object') return part.map(markupOf).join('');
  return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** A template in which whatever is not markup already is escaped; null is nothing. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(
    literals.reduce((markup, literal, index) => markup + markupOf(parts[index - 1] ?? null) + literal),
  );
}
