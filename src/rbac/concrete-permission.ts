import { ServiceError } from '../http/index.js';
import type { FieldProblem } from '../http/index.js';
import { isPermission } from './permission.js';

/** Longer than any permission that a role or a key may have. Characters. */
const MAX_LENGTH = 255;
const FORM = 'must be <capability>:<resource>:<action>, without *';

/** Whether this names one thing to do. What is asked for is concrete; only what is held may have wildcards. */
export function isConcretePermission(value: unknown): value is string {
  return (
    typeof value === 'string' && value.length <= MAX_LENGTH && isPermission(value) && !value.includes('*')
  );
}

/** The items of a list that name no single permission, each with its path. */
export function concretePermissionProblems(list: readonly unknown[], path: string): FieldProblem[] {
  return list.flatMap((item, index) =>
    isConcretePermission(item) ? [] : [{ path: `${path}[${index}]`, message: FORM }],
  );
}

/** @throws validation_failed */
export function readConcretePermission(value: unknown, path: string): string {
  if (isConcretePermission(value)) return value;
  throw new ServiceError('validation_failed', { details: [{ path, message: FORM }] });
}
