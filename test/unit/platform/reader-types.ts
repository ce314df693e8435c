import type { EntityManager } from 'typeorm';
import type { Reader, Tx } from '../../../src/platform/database/index.js';

type WriteMethod = Extract<
  keyof EntityManager,
  | 'save'
  | 'insert'
  | 'update'
  | 'upsert'
  | 'delete'
  | 'remove'
  | 'softDelete'
  | 'getRepository'
  | 'transaction'
>;

/** Checked by the type check alone: does not compile if a handle for reading has a method that writes. */
export const readerHasNoWriteMethod: Extract<keyof Reader, WriteMethod> extends never ? true : false = true;

/** A transaction can read. */
export function readerOf(tx: Tx): Reader {
  return tx;
}

/** A handle for reading is no transaction. */
export function transactionOf(reader: Reader): Tx {
  // @ts-expect-error A write requires a transaction.
  return reader;
}
