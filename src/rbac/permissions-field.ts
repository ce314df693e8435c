import { applyDecorators } from '@nestjs/common';
import { ListField, Rule } from '../http/index.js';
import { isPermission, MAX_PERMISSION_LENGTH } from './permission.js';

/** Bounds what one role or key costs each request that it decides, in time and in memory. */
const MAX_PERMISSIONS = 200;
/** For all permissions of one role or key together: 80 each. */
const MAX_CHARACTERS = 16_000;

function isBounded(list: unknown, maxCharacters: number): boolean {
  if (!Array.isArray(list)) return false;
  const lengths = list.map((item: unknown) => (typeof item === 'string' ? item.length : 0));
  return lengths.reduce((sum, length) => sum + length, 0) <= maxCharacters;
}

function problemOf(item: unknown): string | null {
  if (typeof item !== 'string') return 'must be text';
  if (item.length > MAX_PERMISSION_LENGTH) return `must have at most ${MAX_PERMISSION_LENGTH} characters`;
  return isPermission(item) ? null : 'must be * or <capability>:<resource>:<action>, with * in any place';
}

interface PermissionsOptions {
  readonly minItems?: number;
  /** Of all together. */
  readonly maxCharacters?: number;
  readonly optional?: true;
  readonly description?: string;
}

/** A DTO field that takes a list of permissions; each invalid one is reported with its index. */
export function PermissionsField({
  minItems = 0,
  maxCharacters = MAX_CHARACTERS,
  optional,
  description,
}: PermissionsOptions = {}): PropertyDecorator {
  return applyDecorators(
    ListField(
      {
        of: 'permissions',
        min: minItems,
        max: MAX_PERMISSIONS,
        example: ['data:orders:read', 'jobs:*:*'],
        ...(optional === undefined ? {} : { optional }),
        description:
          (description === undefined ? '' : `${description} `) +
          '`*`, or `<capability>:<resource>:<action>` with `*` in any place. ' +
          `Each has at most ${MAX_PERMISSION_LENGTH} characters, and all together ${maxCharacters}.`,
      },
      problemOf,
    ),
    Rule((list) =>
      isBounded(list, maxCharacters) ? null : `must have at most ${maxCharacters} characters together`,
    ),
  );
}
