import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { randomInt } from 'node:crypto';
import { ServiceError } from '../../http/index.js';
import type { Origin } from '../../http/index.js';
import { ANONYMOUS, AuditTrail } from '../../audit/index.js';
import { secretsEqual, sha256 } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { NewPassword } from '../passwords/new-password.js';
import { PasswordSignIn } from '../sign-in/methods/password-sign-in.js';
import { IdentityProfile } from '../retention/identity-profile.js';
import type { TokenPair } from '../sessions/sessions.js';
import { OperatorRepository } from './operator.repository.js';
import { Operators } from './operators.js';

/** Crockford's base 32: no I, L, O or U, which are mistaken for others. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = 3;
const GROUP_LENGTH = 4;

/** Who becomes the first operator. */
interface FirstOperator {
  readonly email: string;
  readonly password: string;
}

/**
 * The setup of a deployment that is its own database server, and has no operator: whoever reads the terminal has a code,
 * and with it creates the operator's account in the console. The code is good for one use in this process, which keeps
 * its hash alone. Wrong codes do not void it: nobody guesses one of 2^60, but anybody could take it from its owner.
 */
@Injectable()
export class OperatorSetup {
  private codeHash: string | null = null;
  private readonly oneByOne = pLimit(1);

  constructor(
    private readonly database: Database,
    private readonly operators: Operators,
    private readonly rows: OperatorRepository,
    private readonly newPassword: NewPassword,
    private readonly passwordSignIn: PasswordSignIn,
    private readonly profile: IdentityProfile,
    private readonly audit: AuditTrail,
  ) {}

  /** A new code for whoever started the program; null where there is an operator already. */
  async begin(): Promise<string | null> {
    if (await this.rows.exist(this.database.reader)) return null;
    const code = newCode();
    this.codeHash = hashOf(code);
    return code;
  }

  async isOpen(): Promise<boolean> {
    return this.codeHash !== null && !(await this.rows.exist(this.database.reader));
  }

  /**
   * Makes an account the first operator and signs it in. An address that has an account takes that account's password.
   * @throws setup_closed, invalid_setup_code, validation_failed, weak_password, invalid_credentials, rate_limited,
   *   overloaded
   */
  async complete(code: string, { email, password }: FirstOperator, origin: Origin): Promise<TokenPair> {
    return await this.oneByOne(async () => {
      await this.requireCode(code, origin);
      await this.createOperator({ email, password }, origin);
      this.codeHash = null;
      return await this.passwordSignIn.signIn(this.profile.operatorRealm, email, password, origin);
    });
  }

  private async requireCode(code: string, origin: Origin): Promise<void> {
    if (this.codeHash === null || !(await this.isOpen())) throw new ServiceError('setup_closed');
    if (secretsEqual(hashOf(code), this.codeHash)) return;
    await this.audit.appendAlone({
      actor: ANONYMOUS,
      action: 'operator.setup_refused',
      target: null,
      tenantId: null,
      userId: null,
      origin,
    });
    throw new ServiceError('invalid_setup_code');
  }

  private async createOperator({ email, password }: FirstOperator, origin: Origin): Promise<void> {
    const { operatorRealm } = this.profile;
    const existing = await this.operators.findAccount(email);
    if (existing !== null) await this.passwordSignIn.prove(operatorRealm, email, password, origin);
    const passwordHash = existing === null ? await this.newPassword.hash(password, origin) : null;
    await this.database.transaction(async (tx) => {
      if (await this.rows.exist(tx)) throw new ServiceError('setup_closed');
      const by = { actor: ANONYMOUS, origin };
      if (existing !== null) await this.operators.add(tx, existing, 'full', by);
      else if ((await this.operators.create(tx, { email, passwordHash }, 'full', by)) === null)
        throw new ServiceError('invalid_credentials');
    });
  }
}

function newCode(): string {
  const group = (): string =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

/** However it was typed: with small letters, without hyphens, with the letters that look like digits. */
function hashOf(code: string): string {
  const typed = code
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replace(/[IL]/g, '1')
    .replace(/O/g, '0');
  return sha256(typed).toString('base64');
}
