/** What separates the words of a search; the function `user_search_words` of the database splits by the same. */
const SEPARATORS = /[\s@._+,;:<>()"/-]+/;
/** A search for more words finds no more. */
const MAX_WORDS = 10;

/**
 * A query in the language of `tsquery` for the users of a realm whose address and name have words that begin as each
 * word of `text` does; null for text without a word.
 */
export function searchQuery(realmId: string, text: string): string | null {
  const words = text
    .split(SEPARATORS)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);
  if (words.length === 0) return null;
  return [quoted(`realm:${realmId}`), ...words.map((word) => `${quoted(word)}:*`)].join(' & ');
}

function quoted(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
