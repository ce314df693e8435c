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
