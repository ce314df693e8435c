import type { Command } from 'commander';
import type { DeployOptions } from '../caller/deploy.js';
import { Terminal } from '../terminal.js';
import { onServer, withExamples } from './arguments.js';

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
      .option('--dry-run', 'show what would change, and change nothing')
      .option('-y, --yes', 'do not ask'),
  ).addHelpText('after', HELP);
  withExamples(
    command,
    'servicectl deploy examples/hello',
    'servicectl deploy examples/hello --prune --dry-run',
    'SERVICE_URL=https://id.example.com SERVICE_API_KEY=svc_… servicectl deploy . --yes --json',
  ).action(async (path: string, options: DeployOptions, self: Command) => {
    const { deploy } = await import('../caller/deploy.js');
    await deploy(Terminal.of(self), path, options);
  });
}
