import type { Command } from 'commander';
import { toRotatedDto, toSigningKeyDto } from '../../keys/index.js';
import { withWorkbench } from '../command-context.js';
import { table } from '../terminal.js';

const LISTED = 100;

/** `keys list`, `keys rotate` */
export function addKeysCommands(program: Command): void {
  const keys = program.command('keys').description('The keys that sign access tokens');
  keys
    .command('list')
    .description('Show the signing keys and their states, newest first')
    .action((_options: unknown, command: Command) => list(command));
  keys
    .command('rotate')
    .description('Publish the next signing key; it signs after identity.key_publish_lead_secs')
    .option('--immediate', 'for a leaked key: retire now whatever has signed, and sign with a new key')
    .addHelpText('after', '\nWhile a next key waits, that one is shown; --immediate promotes it.')
    .action((options: { immediate?: boolean }, command: Command) =>
      rotate(command, options.immediate === true),
    );
}

async function list(command: Command): Promise<void> {
  await withWorkbench(command, async (bench, terminal) => {
    const keys = (await bench.signingKeys.list(bench.database.reader, LISTED, null)).map(toSigningKeyDto);
    const lines = keys.map((key) => [
      key.kid,
      key.state,
      key.signs_at,
      key.retired_at ?? key.retires_at ?? '',
    ]);
    terminal.result(keys, table([['KID', 'STATE', 'SIGNS FROM', 'VERIFIES UNTIL'], ...lines]));
  });
}

async function rotate(command: Command, isImmediate: boolean): Promise<void> {
  await withWorkbench(command, async ({ signingKeyRotation }, terminal) => {
    const cause = { actor: { type: 'operator', id: null }, origin: null } as const;
    const rotated = toRotatedDto(
      isImmediate
        ? await signingKeyRotation.rotateImmediately(cause)
        : await signingKeyRotation.rotate(cause),
    );
    const { active, next } = rotated;
    terminal.result(
      rotated,
      next === null
        ? `${active.kid} signs now; every access token signed before is refused.`
        : `${active.kid} signs until ${next.signs_at}, then ${next.kid}.`,
    );
  });
}
