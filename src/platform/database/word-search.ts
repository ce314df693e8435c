import type { SelectText } from './database.js';

/** What separates the words of a search; the function `search_words` of the database splits by the same. */
const SEPARATORS = /[\s@._+,;:<>()"/-]+/;
/** A search for more words finds no more. */
const MAX_WORDS = 10;
/** A letter that most addresses have a word with; searching for it would read them all. */
const SINGLE_LETTER = /^[\w]$/;

/**
 * A query in the language of `tsquery` for rows whose `search_words` include one that begins as each word of `text` does;
 * null for text without a word of two letters or more.
 * @param realmId of users, the only realm that is searched
 */
export function searchQuery(text: string, realmId: string | null = null): string | null {
  const words = text
    .normalize('NFC')
    .split(SEPARATORS)
    .filter((word) => word !== '' && !SINGLE_LETTER.test(word))
    .slice(0, MAX_WORDS);
  if (words.length === 0) return null;
  const realm = realmId === null ? [] : [quoted(`@${realmId}`)];
  return [...realm, ...words.map((word) => `${quoted(word)}:*`)].join(' & ');
}

/**
 * In SQL: the ids of the rows of a table that match a query. They stand apart from the order of a list: with it, the planner
 * would rather read rows from the newest on until enough of them match, which are all of them where few do.
 * @param words the call of `search_words` that the index of the table has
 * @param query the parameter with the query
 */
export function matchingIds(table: string, words: string, query: string): SelectText {
  return `SELECT id FROM (
      WITH found AS MATERIALIZED (SELECT id FROM ${table} WHERE ${words} @@ CAST(lower(${query}) AS tsquery))
      SELECT id FROM found
    ) matching`;
}

function quoted(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
