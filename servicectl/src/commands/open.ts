import { Argument } from 'commander';
import type { Command } from 'commander';
import { Terminal } from '../terminal.js';
import { withExamples } from './arguments.js';

/** Pages of a server for people; `start` leads to the others. */
const PAGES = { start: '/', console: '/console', docs: '/docs', health: '/health' } as const;

/** `open` */
export function addOpenCommand(program: Command): void {
  withExamples(
    program
      .command('open')
      .description('Open a page of the server in the browser')
      .addArgument(new Argument('[page]', 'which page').choices(Object.keys(PAGES)).default('start'))
      .option('--url <url>', 'address of the server (SERVICE_URL, or the one of the last login)')
      .option('--print', 'print the address only'),
    'servicectl open console',
    'servicectl open docs',
  ).action(async (page: keyof typeof PAGES, options: { url?: string; print?: boolean }, command: Command) => {
    const { openPage } = await import('../caller/open-page.js');
    await openPage(Terminal.of(command), PAGES[page], options);
  });
}
