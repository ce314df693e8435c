import type { Command } from 'commander';
import type { ServerOptions } from '../caller/session/connection.js';
import { Terminal } from '../terminal.js';
import { addListCommand } from './help.js';
import { onServer, withExamples } from './arguments.js';

/** `secrets list`, `set`, `delete` */
export function addSecretsCommands(program: Command): void {
  const secrets = withExamples(
    program.command('secrets').description('Secrets of jobs, written and never read back'),
    'servicectl secrets',
    'servicectl secrets set github/webhook',
    'openssl rand -hex 32 | servicectl secrets set github/webhook',
  );
  onServer(addListCommand(secrets).description('Show their paths')).action(
    async (server: ServerOptions, command: Command) => {
      const { listSecrets } = await import('../caller/jobs/secrets.js');
      await listSecrets(Terminal.of(command), server);
    },
  );
  onServer(
    secrets
      .command('set')
      .description('Set a value, asked for or read from standard input, whose last line end is left out')
      .argument('<path>', 'like github/webhook'),
  ).action(async (path: string, server: ServerOptions, command: Command) => {
    const { setSecret } = await import('../caller/jobs/secrets.js');
    await setSecret(Terminal.of(command), path, server);
  });
  onServer(
    secrets
      .command('delete')
      .description('Delete a secret that no job names')
      .argument('<path>', 'like github/webhook'),
  )
    .option('-y, --yes', 'do not ask')
    .action(async (path: string, options: ServerOptions & { yes?: boolean }, command: Command) => {
      const { deleteSecret } = await import('../caller/jobs/secrets.js');
      await deleteSecret(Terminal.of(command), path, options);
    });
}
