import { checkpointAssociatedData } from '../../audit/index.js';
import {
  factorSecretAssociatedData,
  mailPasswordAssociatedData,
  outgoingMailAssociatedData,
  runTokenKeyAssociatedData,
  signingKeyAssociatedData,
} from '../../identity/index.js';
import { signingSecretAssociatedData } from '../../jobs/index.js';
import type { AssociatedData } from '../../platform/crypto/index.js';
import { secretAssociatedData } from '../../vault/index.js';

/** A column whose values are sealed under the data key. */
export interface SealedColumn {
  readonly table: string;
  readonly idColumn: string;
  readonly column: string;
  /** The column that says whose the row is; null in the deployment's own tables. */
  readonly tenantColumn: string | null;
  /** The associated data of a row's value; the tenant is '' where there is no column for it. */
  readonly associatedDataOf: (tenantId: string, id: string) => AssociatedData;
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
    associatedDataOf: (_, kid) => signingKeyAssociatedData(kid),
  },
  {
    table: 'signing_keys',
    idColumn: 'kid',
    column: 'sealed_run_private_key',
    tenantColumn: null,
    associatedDataOf: (_, kid) => runTokenKeyAssociatedData(kid),
  },
  {
    table: 'vault_secrets',
    idColumn: 'id',
    column: 'sealed_value',
    tenantColumn: 'tenant_id',
    associatedDataOf: secretAssociatedData,
  },
  {
    table: 'signing_secrets',
    idColumn: 'id',
    column: 'sealed_secret',
    tenantColumn: 'tenant_id',
    associatedDataOf: signingSecretAssociatedData,
  },
  {
    table: 'outgoing_mails',
    idColumn: 'id',
    column: 'sealed_message',
    tenantColumn: null,
    associatedDataOf: (_, id) => outgoingMailAssociatedData(id),
  },
  {
    table: 'project_mail_settings',
    idColumn: 'project_id',
    column: 'sealed_password',
    tenantColumn: 'project_id',
    associatedDataOf: mailPasswordAssociatedData,
  },
  {
    table: 'factors',
    idColumn: 'id',
    column: 'sealed_secret',
    tenantColumn: null,
    associatedDataOf: (_, id) => factorSecretAssociatedData(id),
  },
  {
    table: 'audit_checkpoints',
    idColumn: 'chain_id',
    column: 'sealed_state',
    tenantColumn: null,
    associatedDataOf: (_, chainId) => checkpointAssociatedData(chainId),
  },
];
