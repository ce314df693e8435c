import { Argument } from 'commander';
import type { Command } from 'commander';

/**
 * `help`, and `help jobs pause`. Commander's own shows the help of the program for a command that does not exist.
 * @param parent the program, or a group such as `jobs`
 */
export function addHelpCommand(parent: Command): void {
  parent
    .helpCommand(false)
    .command('help', { hidden: parent.parent !== null })
    .description('Show how a command is used')
    .argument('[command...]', 'command, such as trigger or jobs pause')
    .action(async (path: readonly string[]) => {
      let shown = parent;
      for (const word of path) {
        const found = shown.commands.find((command) => command.name() === word);
        shown = found ?? (await import('../suggestions.js')).refuseUnknownCommand(shown, word);
      }
      shown.help();
    });
}

/** A group of commands, such as `jobs`, with the command that the group's name alone means. */
export function addListCommand(group: Command): Command {
  addHelpCommand(group);
  return (
    group
      .command('list', { isDefault: true })
      // A word after the group's name is a command that the group lacks, and no argument of this one.
      .allowExcessArguments()
      .hook('preAction', async (_, { args: [word] }) => {
        if (word === undefined) return;
        const { refuseUnknownCommand } = await import('../suggestions.js');
        refuseUnknownCommand(group, word);
      })
  );
}

const SHELLS = ['bash', 'zsh', 'fish'] as const;

const COMPLETION_HELP = `
Add it to what your shell reads when it starts:
  bash  echo 'source <(servicectl completion bash)' >> ~/.bashrc
  zsh   echo 'source <(servicectl completion zsh)' >> ~/.zshrc
  fish  servicectl completion fish > ~/.config/fish/completions/servicectl.fish

In a checkout, where the command is npx servicectl, add an alias before it: alias servicectl='npx servicectl'`;

/** `completion`, and `complete`, which the scripts call */
export function addCompletionCommands(program: Command): void {
  program
    .command('completion')
    .description('Print a script that completes commands, jobs and runs at the Tab key')
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .addHelpText('after', COMPLETION_HELP)
    .action(async (shell: (typeof SHELLS)[number]) => {
      const { completionScript } = await import('../caller/completion/completion.js');
      process.stdout.write(completionScript(shell));
    });
  program
    .command('complete', { hidden: true })
    .argument('[words...]', 'what was typed so far')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (words: string[]) => {
      const { printCompletions } = await import('../caller/completion/completion.js');
      await printCompletions(program, words);
    });
}
