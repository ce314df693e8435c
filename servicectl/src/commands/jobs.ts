import type { Command } from 'commander';
import type { ServerOptions } from '../caller/session/connection.js';
import { EXIT } from '../command-error.js';
import { Terminal } from '../terminal.js';
import { addListCommand } from './help.js';
import { onServer, withExamples, wholeNumber } from './arguments.js';
import type { DeployOptions } from '../caller/jobs/deploy.js';

const NEXT_MOST = 100;

/** `jobs list`, `show`, `next`, `pause`, `resume`, `delete` */
export function addJobsCommands(program: Command): void {
  const jobs = withExamples(
    program.command('jobs').description('The jobs of the organization'),
    'servicectl jobs',
    'servicectl jobs next daily-report --count 3',
    'servicectl jobs pause daily-report',
  );
  onServer(addListCommand(jobs).description('Show the jobs with their triggers and next fire times')).action(
    async (server: ServerOptions, command: Command) => {
      const { listJobs } = await import('../caller/jobs/jobs.js');
      await listJobs(Terminal.of(command), server);
    },
  );
  onServer(jobs.command('show').description('Show one job').argument('<job>', 'its id')).action(
    async (id: string, server: ServerOptions, command: Command) => {
      const { showJob } = await import('../caller/jobs/jobs.js');
      await showJob(Terminal.of(command), id, server);
    },
  );
  onServer(
    jobs
      .command('next')
      .description('Show when the schedules of a job fire next')
      .argument('<job>', 'its id'),
  )
    .option('--count <number>', 'how many fire times of each schedule', wholeNumber(1, NEXT_MOST), 5)
    .action(async (id: string, options: ServerOptions & { count: number }, command: Command) => {
      const { showNext } = await import('../caller/jobs/jobs.js');
      await showNext(Terminal.of(command), id, options);
    });
  for (const [name, paused, description] of [
    ['pause', true, 'Pause the schedules, row changes and webhooks of a job; you can still trigger it'],
    ['resume', false, 'Resume the triggers of a job; it does not make up for what it missed'],
  ] as const) {
    onServer(
      jobs.command(name).description(description).argument('[job]', 'its id').option('--all', 'all jobs'),
    ).action(async (id: string | undefined, options: ServerOptions & { all?: boolean }, command: Command) => {
      if ((id === undefined) !== (options.all === true))
        command.error('error: name one job, or say --all', { exitCode: EXIT.usage });
      const { setPaused } = await import('../caller/jobs/jobs.js');
      await setPaused(Terminal.of(command), id ?? null, paused, options);
    });
  }
  onServer(
    jobs
      .command('delete')
      .description('Delete a job; its waiting runs are cancelled')
      .argument('<job>', 'its id'),
  )
    .option('-y, --yes', 'do not ask')
    .action(async (id: string, options: ServerOptions & { yes?: boolean }, command: Command) => {
      const { deleteJob } = await import('../caller/jobs/jobs.js');
      await deleteJob(Terminal.of(command), id, options);
    });
}

const HELP = `
A bundle is a folder with jobs.json and functions/. The jobs are registered, all of them or none. Functions are not
uploaded: a server runs those of its own folder (functions.dir), or calls handlers by URL.`;

/** `deploy` */
export function addDeployCommand(program: Command): void {
  const command = onServer(
    program
      .command('deploy')
      .description('Show what a bundle changes, ask, and register its jobs')
      .argument('<bundle>', 'folder with jobs.json, or a manifest')
      .option('--prune', 'delete the jobs that the bundle does not name')
      .option('--dry-run', 'show what would change without changing anything')
      .option('-y, --yes', 'do not ask'),
  ).addHelpText('after', HELP);
  withExamples(
    command,
    'servicectl deploy examples/hello',
    'servicectl deploy examples/hello --prune --dry-run',
    'SERVICE_URL=https://id.example.com SERVICE_API_KEY=svc_… servicectl deploy . --yes --json',
  ).action(async (path: string, options: DeployOptions, self: Command) => {
    const { deploy } = await import('../caller/jobs/deploy.js');
    await deploy(Terminal.of(self), path, options);
  });
}

/** `secrets list`, `set`, `delete` */
export function addSecretsCommands(program: Command): void {
  const secrets = withExamples(
    program.command('secrets').description('Secrets of jobs, which can be written but not read back'),
    'servicectl secrets',
    'servicectl secrets set github/webhook',
    'openssl rand -hex 32 | servicectl secrets set github/webhook',
  );
  onServer(addListCommand(secrets).description('Show the paths of the secrets')).action(
    async (server: ServerOptions, command: Command) => {
      const { listSecrets } = await import('../caller/jobs/secrets.js');
      await listSecrets(Terminal.of(command), server);
    },
  );
  onServer(
    secrets
      .command('set')
      .description(
        'Set a secret; asks for the value, or reads it from standard input without the last line end',
      )
      .argument('<path>', 'such as github/webhook'),
  ).action(async (path: string, server: ServerOptions, command: Command) => {
    const { setSecret } = await import('../caller/jobs/secrets.js');
    await setSecret(Terminal.of(command), path, server);
  });
  onServer(
    secrets
      .command('delete')
      .description('Delete a secret that no job uses')
      .argument('<path>', 'such as github/webhook'),
  )
    .option('-y, --yes', 'do not ask')
    .action(async (path: string, options: ServerOptions & { yes?: boolean }, command: Command) => {
      const { deleteSecret } = await import('../caller/jobs/secrets.js');
      await deleteSecret(Terminal.of(command), path, options);
    });
}
