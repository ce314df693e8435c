import { accessSync, constants } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The clone's top folder, as a URL that ends in a slash. */
export const repoRoot = new URL('../../', import.meta.url);

/** What ends the preparation; the message says what to do. */
export class PrepareError extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** To stderr, since stdout belongs to the program that is being prepared. */
export function say(message) {
  process.stderr.write(`${message}\n`);
}

const NOT_WRITABLE = ['EACCES', 'EPERM', 'EROFS'];

/** Whether the error says that this account, or nobody, may write there. */
export function isNotWritable({ code }) {
  return NOT_WRITABLE.includes(code);
}

/** What ends the preparation where a file of the clone cannot be written or read; null for any other error. */
export function asPrepareError(error) {
  if (error instanceof PrepareError) return error;
  return isNotWritable(error) ? new PrepareError(notWritable(error.message)) : null;
}

/**
 * Before something is made in a folder of the clone.
 * @param {string} need what has to be made, such as `it has to be built`
 */
export function requireWritable(need, folder = repoRoot) {
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new PrepareError(notWritable(`${need}, and ${error.message}`));
  }
}

function notWritable(reason) {
  return (
    `The clone cannot be prepared: ${reason}. Run the command as the account that owns ${fileURLToPath(repoRoot)}, ` +
    'or prepare the clone as that account once, with: node scripts/prepare.mjs'
  );
}

/** Words for the failure of a tool, which such an option may have caused. */
export function underNodeOptions() {
  const { NODE_OPTIONS = '' } = process.env;
  return NODE_OPTIONS === '' ? '' : ` NODE_OPTIONS is set (${NODE_OPTIONS}); try without it.`;
}
