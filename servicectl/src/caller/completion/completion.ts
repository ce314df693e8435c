import { RootCommand, script, ShellCompDirective } from '@bomb.sh/tab';
import type { Command as Completed } from '@bomb.sh/tab';
import type { Command } from 'commander';
import { callerEnvironment } from '../../environment.js';
import { candidatesFor } from './completion-candidates.js';
import type { Candidates } from './completion-candidates.js';

/** Candidates with other characters are not offered: bash expands what it completes, command substitutions too. */
const OFFERED = /^[\w.@+/-]+$/;

/** Stands in for the function of the package bash-completion, which few machines have in a plain shell. */
const WORDS_OF_BASH = `
if ! declare -F _get_comp_words_by_ref >/dev/null; then
    _get_comp_words_by_ref() {
        cur=\${COMP_WORDS[COMP_CWORD]}
        prev=\${COMP_WORDS[COMP_CWORD-1]}
        words=("\${COMP_WORDS[@]}")
        cword=$COMP_CWORD
    }
fi
`;

/** What a shell sources; it calls `servicectl complete -- …` at each Tab. */
export function completionScript(shell: string): string {
  const text = printed(() => {
    script(shell, 'servicectl', callerEnvironment().invocation);
  });
  if (shell !== 'bash') return text;
  // Sourced a second time, the script may set its constants again; files are completed where it says so.
  return `${WORDS_OF_BASH}${text
    .replaceAll(/^readonly /gm, '')
    .replace('complete -F ', 'complete -o default -F ')}`;
}

/** The library gives its text to standard output alone. */
function printed(work: () => void): string {
  const write = process.stdout.write.bind(process.stdout);
  let text = '';
  process.stdout.write = (chunk) => {
    text += String(chunk);
    return true;
  };
  try {
    work();
  } finally {
    process.stdout.write = write;
  }
  return text;
}

/** Prints the completions of what was typed so far, a line each, as the script reads them. */
export async function printCompletions(program: Command, words: readonly string[]): Promise<void> {
  const typed = commandOf(program, words);
  // Of files the shell knows more; the library has it complete none.
  if (typed.name() === 'deploy' && words.at(-1)?.startsWith('-') !== true) {
    process.stdout.write(`:${ShellCompDirective.ShellCompDirectiveDefault}\n`);
    return;
  }
  const kinds = [
    ...typed.registeredArguments.map((argument) => argument.name()),
    ...optionsOf(typed).map((option) => option.attributeName()),
  ];
  const candidates = await candidatesFor(new Set(kinds));
  const root = new RootCommand();
  describe(root, program, candidates);
  for (const { path, command } of visible(program))
    describe(root.command(path, command.description()), command, candidates);
  root.parse([...words]);
}

/** The command that the words name, as far as they name one. */
function commandOf(program: Command, words: readonly string[]): Command {
  let found = program;
  for (const word of words.filter((each) => !each.startsWith('-'))) {
    const next = found.commands.find((command) => command.name() === word);
    if (next === undefined) break;
    found = next;
  }
  return found;
}

function visible(parent: Command, before = ''): { path: string; command: Command }[] {
  return parent
    .createHelp()
    .visibleCommands(parent)
    .flatMap((command) => {
      const path = `${before}${command.name()}`;
      return [{ path, command }, ...visible(command, `${path} `)];
    });
}

function describe(completed: Completed, command: Command, candidates: Candidates): void {
  for (const option of optionsOf(command)) {
    const name = option.long?.slice(2);
    if (name === undefined) continue;
    const alias = option.short?.slice(1);
    const values = option.argChoices ?? candidates.get(option.attributeName()) ?? [];
    if (option.isBoolean()) completed.option(name, option.description, alias);
    else completed.option(name, option.description, offering(values), alias);
  }
  for (const argument of command.registeredArguments)
    completed.argument(
      argument.name(),
      offering(argument.argChoices ?? candidates.get(argument.name()) ?? []),
      argument.variadic,
    );
}

/** Those of the program go with each command, and those of `jobs list` with `jobs`. */
function optionsOf(command: Command): Command['options'][number][] {
  const byDefault = command.commands.find((child) => child.name() === 'list');
  const help = command.createHelp();
  return [
    ...help.visibleOptions(command),
    ...(byDefault === undefined ? [] : help.visibleOptions(byDefault)),
    ...(command.parent === null ? [] : help.visibleGlobalOptions(command)),
  ];
}

function offering(
  values: readonly string[],
): (complete: (value: string, description: string) => void) => void {
  return (complete) => {
    for (const value of values) if (OFFERED.test(value)) complete(value, '');
  };
}
