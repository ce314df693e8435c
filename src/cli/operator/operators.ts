import { OPERATOR } from '../../audit/index.js';
import { ServiceError } from '../../http/index.js';
import { normalMailbox } from '../../platform/mailbox/index.js';
import type { Operators, OperatorAccess, UserEntity } from '../../identity/index.js';
import { askSecret, asTyped, CommandError, EXIT, readStandardInput } from '../../../servicectl/src/index.js';
import type { Terminal } from '../../../servicectl/src/index.js';
import { table } from '../../../servicectl/src/table.js';
import { OperatorContext } from './operator-context.js';

export interface AddOperatorOptions {
  readonly readOnly?: boolean;
  readonly unverified?: boolean;
  readonly passwordStdin?: boolean;
}

/** Whoever may run this has the database itself. */
const BY = { actor: OPERATOR, origin: null };

/** What limits the queue of password hashes counts by. */
const ORIGIN = { ip: 'servicectl', userAgent: null };

const WAYS: Readonly<Record<OperatorAccess, string>> = { full: 'everything', read_only: 'reading' };

export async function addOperator(
  terminal: Terminal,
  reference: string,
  options: AddOperatorOptions,
): Promise<void> {
  const email = addressOf(reference);
  const access = options.readOnly === true ? 'read_only' : 'full';
  await OperatorContext.use(terminal, async (bench) => {
    const { operators, database } = bench;
    const found = await operators.findAccount(email);
    if (found !== null) requireProven(bench, found, options);
    const passwordHash = found === null ? await newPasswordHash(bench, terminal, options) : null;
    const operator = await database.transaction(async (tx) => {
      if (found === null) return await operators.create(tx, { email, passwordHash }, access, BY);
      await operators.add(tx, found, access, BY);
      return found;
    });
    if (operator === null)
      throw new CommandError(`somebody has just created the account ${email}; try again`);
    terminal.result(
      { id: operator.id, email, access, created: found === null },
      `${email} is an operator for ${WAYS[access]}${found === null ? ', with a new account' : ''}.`,
    );
  });
}

export async function listOperators(terminal: Terminal): Promise<void> {
  await OperatorContext.use(terminal, async ({ operators }) => {
    const all = await operators.list();
    const shown = all.map(({ userId: id, email, access, addedAt }) => ({
      id,
      email,
      access,
      added_at: addedAt.toISOString(),
    }));
    const lines = shown.map(({ email, access, added_at: addedAt, id }) => [
      email,
      access,
      terminal.instant(addedAt),
      id,
    ]);
    const columns = [
      { heading: 'ADDRESS' },
      { heading: 'ACCESS' },
      { heading: 'ADDED', leftOut: 1 },
      { heading: 'ID', leftOut: 2 },
    ];
    terminal.result(shown, table(terminal, columns, lines));
  });
}

export async function removeOperator(terminal: Terminal, reference: string): Promise<void> {
  const email = addressOf(reference);
  await OperatorContext.use(terminal, async ({ operators }) => {
    const account = await operatorOf(operators, email);
    await operators.remove(account, BY);
    terminal.result({ id: account.id, email }, `${email} is no operator any more.`);
  });
}

async function operatorOf(operators: Operators, email: string): Promise<UserEntity> {
  const isOperator = (await operators.list()).some((operator) => operator.email === email);
  const account = isOperator ? await operators.findAccount(email) : null;
  if (account === null)
    throw new CommandError(`${email} is not an operator; see: ${asTyped('operators list')}`);
  return account;
}

function addressOf(reference: string): string {
  const { address, problem } = normalMailbox(reference);
  if (address === null)
    throw new CommandError(`${reference} is no address of an account: it ${problem}`, EXIT.usage);
  return address;
}

/** Anyone may sign up with any address, and would become an operator in place of whom it belongs to. */
function requireProven(
  { hasOperatorAccountsApart }: OperatorContext,
  { email, emailVerified }: UserEntity,
  { unverified }: AddOperatorOptions,
): void {
  if (hasOperatorAccountsApart || emailVerified || unverified === true) return;
  throw new CommandError(
    `nobody has proven yet that the account ${email} belongs to that address`,
    EXIT.failed,
    'Have its owner follow the link of the verification mail, or add --unverified if you know the account',
  );
}

async function newPasswordHash(
  { newPassword }: OperatorContext,
  terminal: Terminal,
  options: AddOperatorOptions,
): Promise<string> {
  const password = (await givenPassword(terminal, options)).normalize('NFC');
  try {
    return await newPassword.hash(password, ORIGIN);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const [problem] = error.details ?? [];
    throw new CommandError(`the password ${problem?.message ?? 'is not accepted'}`, EXIT.failed, error.hint);
  }
}

async function givenPassword(terminal: Terminal, { passwordStdin }: AddOperatorOptions): Promise<string> {
  if (passwordStdin === true) return await readStandardInput();
  const otherwise = 'give the password with --password-stdin';
  const password = await askSecret(terminal, 'Password for the new account:', otherwise);
  if ((await askSecret(terminal, 'Once more:', otherwise)) !== password)
    throw new CommandError('the two passwords differ');
  return password;
}
