import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { addHelpCommand, CommandError, EXIT, setDisabled, Terminal } from '../../../servicectl/src/index.js';
import type { UsersServer } from '../../../servicectl/src/index.js';
import { addAuditCommands } from './audit.js';
import { addOperatorsCommands } from './operators.js';

const HELP = `
The commands for operators work on the database of the deployment, whether its program runs or not. They read the
configuration of the server: service.toml in the current folder (or SERVICE_CONFIG) and SERVICE_* variables.`;

const GROUP = 'For the operator of a deployment:';

function isForOperators(command: Command): boolean {
  return command.helpGroup() === GROUP || (command.parent !== null && isForOperators(command.parent));
}

/** These load the program, which an option of Node.js may keep from that. */
async function requireUsableNode(): Promise<void> {
  const { restrictionOfNode } = await import('../../platform/startup/index.js');
  const restriction = restrictionOfNode();
  if (restriction !== null) throw new CommandError(restriction, EXIT.configuration);
}

/** The commands that work on the database of a deployment. */
export function addOperatorCommands(program: Command): void {
  program.commandsGroup(GROUP);
  program.hook('preAction', async (_program, command) => {
    if (isForOperators(command)) await requireUsableNode();
  });
  addDoctorCommand(program);
  addKeysCommands(program);
  addRekeyCommand(program);
  addCalibrateCommand(program);
  addAuditCommands(program);
  addUsersInDatabase(program);
  addOperatorsCommands(program);
  addMigrateCommand(program);
  program.addHelpText('after', HELP);
}

const DOCTOR_HELP = `
It changes nothing, and ends within half a minute. Run it where an instance runs, with its configuration. The exit code
is 0 where nothing is wrong or there are warnings only, and 1 where there is a problem.`;

/** `doctor` */
function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('Check settings, servers, clocks, migrations, keys, instances and mail; say what to do')
    .addHelpText('after', DOCTOR_HELP)
    .action(async (_options: unknown, command: Command) => {
      const { examine } = await import('../operator/doctor/doctor.js');
      await examine(Terminal.of(command));
    });
}

/** `keys list`, `keys rotate` */
function addKeysCommands(program: Command): void {
  const keys = program.command('keys').description('The keys that sign access tokens');
  addHelpCommand(keys);
  keys
    .command('list')
    .description(
      'Show the signing keys and their states, newest first; for projects, the key of each project',
    )
    .action(async (_options: unknown, command: Command) => {
      const { listKeys } = await import('../operator/keys.js');
      await listKeys(Terminal.of(command));
    });
  keys
    .command('rotate')
    .description('Publish the next signing key; it signs after identity.key_publish_lead_secs')
    .option(
      '--immediate',
      'for a leaked key: retire all keys that have signed, and sign with a new key at once',
    )
    .addHelpText('after', '\nWhile a next key waits, that one is shown; --immediate promotes it.')
    .action(async (options: { immediate?: boolean }, command: Command) => {
      const { rotateKeys } = await import('../operator/keys.js');
      await rotateKeys(Terminal.of(command), options.immediate === true);
    });
}

const REKEY_HELP = `
To change the data key without downtime:
  1. Put the new key in identity.data_key and the old one in identity.data_key_previous.
  2. Restart every instance with both keys.
  3. servicectl rekey
  4. Remove identity.data_key_previous and restart.`;

/** `rekey` */
function addRekeyCommand(program: Command): void {
  program
    .command('rekey')
    .description('Rewrite every sealed value under the current identity.data_key, while the program serves')
    .addHelpText('after', REKEY_HELP)
    .action(async (_options: unknown, command: Command) => {
      const { rekey } = await import('../operator/rekey.js');
      await rekey(Terminal.of(command));
    });
}

const MIN_TARGET_MS = 10;
const MAX_TARGET_MS = 10_000;

function targetMs(text: string): number {
  const target = Number(text);
  if (Number.isInteger(target) && target >= MIN_TARGET_MS && target <= MAX_TARGET_MS) return target;
  throw new InvalidArgumentError(`Must be a whole number from ${MIN_TARGET_MS} to ${MAX_TARGET_MS}.`);
}

/** `calibrate` */
function addCalibrateCommand(program: Command): void {
  program
    .command('calibrate')
    .description('Measure this machine and propose identity.argon2_time_cost')
    .option('--target-ms <milliseconds>', 'how long one password hash may take', targetMs, 250)
    .addHelpText('after', '\nRun it on the machine that serves, while it is idle.')
    .action(async (options: { targetMs: number }, command: Command) => {
      const { proposeTimeCost } = await import('../operator/calibrate.js');
      await proposeTimeCost(Terminal.of(command), options.targetMs);
    });
}

/** `migrate` */
function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('Migrate the database to this release; the program also does this when it starts')
    .action(async (_options: unknown, command: Command) => {
      const { runMigrations } = await import('../operator/deployment.js');
      await runMigrations(Terminal.of(command));
    });
}

const IN_PROJECT = [
  '--project <ref>',
  'with --database: the project, when an address is in several',
] as const;

interface DatabaseOptions extends UsersServer {
  readonly database?: boolean;
  readonly project?: string;
}

/** `users disable --database`, `users enable --database`: without a server and an operator's account */
function addUsersInDatabase(program: Command): void {
  const users = program.commands.find((command) => command.name() === 'users');
  const change = async (
    command: Command,
    reference: string,
    { database, project, ...server }: DatabaseOptions,
    disabled: boolean,
  ): Promise<void> => {
    if (database !== true) {
      await setDisabled(command, reference, server, disabled);
      return;
    }
    const operator = await import('../operator/users.js');
    await operator.setDisabled(Terminal.of(command), { reference, project }, disabled);
  };
  for (const name of ['disable', 'enable'])
    users?.commands
      .find((command) => command.name() === name)
      ?.option('--database', 'work on the database of the deployment, as the commands for operators do')
      .option(...IN_PROJECT)
      .action((reference: string, options: DatabaseOptions, command: Command) =>
        change(command, reference, options, name === 'disable'),
      );
}
