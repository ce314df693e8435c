import {
  mailPasswordSealContext,
  outgoingMailSealContext,
  signingKeySealContext,
} from '../../identity/index.js';
import { signingSecretSealContext } from '../../jobs/index.js';
import { secretSealContext } from '../../vault/index.js';

/** A column whose values are sealed under the data key. */
export interface SealedColumn {
  readonly table: string;
  readonly idColumn: string;
  readonly column: string;
  /** What the value of a row is bound to: the context that it was sealed with. */
  readonly contextOf: (id: string) => string;
}

/**
 * Every column under the data key, for `rekey`. Whoever adds one adds it here. (A refresh token's
 * `sealed_successor` is not among them: it is sealed under the token itself.)
 */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'signing_keys',
    idColumn: 'kid',
    column: 'sealed_private_key',
    contextOf: signingKeySealContext,
  },
  {
    table: 'vault_secrets',
    idColumn: 'id',
    column: 'sealed_value',
    contextOf: secretSealContext,
  },
  {
    table: 'signing_secrets',
    idColumn: 'id',
    column: 'sealed_secret',
    contextOf: signingSecretSealContext,
  },
  {
    table: 'outgoing_mails',
    idColumn: 'id',
    column: 'sealed_message',
    contextOf: outgoingMailSealContext,
  },
  {
    table: 'project_mail_settings',
    idColumn: 'project_id',
    column: 'sealed_password',
    contextOf: mailPasswordSealContext,
  },
];
