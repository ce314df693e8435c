import { runCommandLine } from './command-line.js';

// Whoever reads on may stop, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

process.exitCode = await runCommandLine(process.argv.slice(2));
