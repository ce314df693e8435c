import { basename } from 'node:path';
import { runCommand } from './command.mjs';

/** Runs the npm that runs us (it need not be on PATH), else the one on PATH. */
export function runNpm(args, options) {
  const own = process.env.npm_execpath;
  return own !== undefined && basename(own) === 'npm-cli.js'
    ? runCommand(process.execPath, [own, ...args], options)
    : runCommand('npm', args, options);
}
