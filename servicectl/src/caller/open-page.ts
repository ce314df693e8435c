import { CommandError, EXIT } from '../command-error.js';
import type { Terminal } from '../terminal.js';
import { connectForLogin } from './session/connection.js';

/** Opens a page of the server in the browser, and prints its address, which is enough where there is no browser. */
export async function openPage(
  terminal: Terminal,
  path: string,
  { url: givenUrl, print = false }: { url?: string; print?: boolean },
): Promise<void> {
  const { url } = connectForLogin(givenUrl);
  const address = `${url}${path}`;
  terminal.result({ url: address }, address);
  if (print || terminal.asJson) return;
  const { default: open } = await import('open');
  await open(address).catch((error: unknown) => {
    throw new CommandError(
      `no browser could be started: ${error instanceof Error ? error.message : String(error)}`,
      EXIT.failed,
      'Open the address yourself',
    );
  });
}
