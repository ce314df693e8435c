import { applyDecorators } from '@nestjs/common';
import { ListField, Rule } from '../http/index.js';
import { isPermission, MAX_PERMISSION_LENGTH } from './permission.js';

/** Bounds what one role or key costs each request that it decides, in time and in memory. */
const MAX_PERMISSIONS = 200;
/** For all permissions of one role or key together: 80 each. */
const MAX_CHARACTERS = 16_000;

function isBounded(list: unknown): boolean {
  if (!Array.isArray(list)) return false;
  const lengths = list.map((item: unknown) => (typeof item === 'string' ? item.length : 0));
  return lengths.reduce((sum, length) => sum + length, 0) <= MAX_CHARACTERS;
}

function problemOf(item: unknown): string | null {
  if (typeof item !== 'string') return 'must be text';
  if (item.length > MAX_PERMISSION_LENGTH) return `must have at most ${MAX_PERMISSION_LENGTH} characters`;
  return isPermission(item) ? null : 'must be * or <capability>:<resource>:<action>, with * in any place';
}

/** A DTO field that takes a list of permissions; each invalid one is reported with its index. */
export function PermissionsField({ minItems = 0 } = {}): PropertyDecorator {
  return applyDecorators(
    ListField(
      {
        of: 'permissions',
        min: minItems,
        max: MAX_PERMISSIONS,
        example: ['data:orders:read', 'jobs:*:*'],
        description:
          '`*`, or `<capability>:<resource>:<action>` with `*` in any place. ' +
          `Each has at most ${MAX_PERMISSION_LENGTH} characters, and all together ${MAX_CHARACTERS}.`,
      },
      problemOf,
    ),
    Rule((list) => (isBounded(list) ? null : `must have at most ${MAX_CHARACTERS} characters together`)),
  );
}
