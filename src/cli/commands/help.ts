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
    .argument('[command...]', 'such as trigger, or jobs pause')
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
