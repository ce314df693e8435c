import type { Command } from 'commander';
import { distance } from 'fastest-levenshtein';

/** Words that differ by more than this share of their letters are taken for different words. */
const MOST_DIFFERENT = 0.5;

/** What the user probably meant: the candidate that begins so, or the most similar one; null where none is similar. */
export function similarTo(word: string, candidates: readonly string[]): string | null {
  const typed = word.toLowerCase();
  const beginning = candidates.filter((candidate) => candidate.toLowerCase().startsWith(typed));
  if (typed.length > 1 && beginning.length === 1) return beginning[0] ?? null;
  let best: string | null = null;
  let least = Infinity;
  for (const candidate of candidates) {
    const difference = distance(typed, candidate.toLowerCase());
    if (difference < least && difference <= Math.max(typed.length, candidate.length) * MOST_DIFFERENT)
      [best, least] = [candidate, difference];
  }
  return best;
}

/** Ends the command line as Commander does for an unknown command. */
export function refuseUnknownCommand(group: Command, word: string): never {
  const names = group
    .createHelp()
    .visibleCommands(group)
    .map((command) => command.name());
  const meant = similarTo(word, names);
  group.error(`error: unknown command '${word}'${meant === null ? '' : `\n(Did you mean ${meant}?)`}`, {
    code: 'commander.unknownCommand',
  });
}
