import { checkpointPlace } from '../../audit/index.js';
import {
  factorSecretPlace,
  mailPasswordPlace,
  outgoingMailPlace,
  runTokenKeyPlace,
  signingKeyPlace,
} from '../../identity/index.js';
import { signingSecretPlace } from '../../jobs/index.js';
import type { SealedPlace } from '../../platform/crypto/index.js';
import { secretPlace } from '../../vault/index.js';

/** A column whose values are sealed under the data key. */
export interface SealedColumn {
  readonly table: string;
  readonly idColumn: string;
  readonly column: string;
  /** The column that says whose the row is; null in the deployment's own tables. */
  readonly tenantColumn: string | null;
  /** The place of a row's value; the tenant is '' where there is no column for it. */
  readonly placeOf: (tenantId: string, id: string) => SealedPlace;
}

/**
 * Every column under the data key. Add every new one here. (A refresh token's `sealed_successor` is not among
 * them: it is sealed under the token itself.)
 */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'signing_keys',
    idColumn: 'kid',
    column: 'sealed_private_key',
    tenantColumn: null,
    placeOf: (_, kid) => signingKeyPlace(kid),
  },
  {
    table: 'signing_keys',
    idColumn: 'kid',
    column: 'sealed_run_private_key',
    tenantColumn: null,
    placeOf: (_, kid) => runTokenKeyPlace(kid),
  },
  {
    table: 'vault_secrets',
    idColumn: 'id',
    column: 'sealed_value',
    tenantColumn: 'tenant_id',
    placeOf: secretPlace,
  },
  {
    table: 'signing_secrets',
    idColumn: 'id',
    column: 'sealed_secret',
    tenantColumn: 'tenant_id',
    placeOf: signingSecretPlace,
  },
  {
    table: 'outgoing_mails',
    idColumn: 'id',
    column: 'sealed_message',
    tenantColumn: null,
    placeOf: (_, id) => outgoingMailPlace(id),
  },
  {
    table: 'project_mail_settings',
    idColumn: 'project_id',
    column: 'sealed_password',
    tenantColumn: 'project_id',
    placeOf: mailPasswordPlace,
  },
  {
    table: 'factors',
    idColumn: 'id',
    column: 'sealed_secret',
    tenantColumn: null,
    placeOf: (_, id) => factorSecretPlace(id),
  },
  {
    table: 'audit_checkpoints',
    idColumn: 'chain_id',
    column: 'sealed_state',
    tenantColumn: null,
    placeOf: (_, chainId) => checkpointPlace(chainId),
  },
];
