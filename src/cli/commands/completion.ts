import { Argument } from 'commander';
import type { Command } from 'commander';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

const HELP = `
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
    .addHelpText('after', HELP)
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
