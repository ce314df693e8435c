import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray } from 'class-validator';
import { EachItem } from '../platform/http/index.js';
import { isPermission, MAX_PERMISSION_LENGTH } from './permission.js';

/** Bounds what one role or key costs each request that it decides. */
const MAX_PERMISSIONS = 200;

function problemOf(item: unknown): string | null {
  if (typeof item !== 'string') return 'must be text';
  if (item.length > MAX_PERMISSION_LENGTH) return `must have at most ${MAX_PERMISSION_LENGTH} characters`;
  return isPermission(item) ? null : 'must be * or <capability>:<resource>:<action>, with * in any place';
}

/** A DTO field that takes a list of permissions; each faulty one is reported with its place. */
export function PermissionsField(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: [String],
      maxItems: MAX_PERMISSIONS,
      example: ['data:orders:read', 'jobs:*:*'],
      description: '`*`, or `<capability>:<resource>:<action>` with `*` in any place.',
    }),
    IsArray({ message: 'must be a list' }),
    ArrayMaxSize(MAX_PERMISSIONS, { message: `must have at most ${MAX_PERMISSIONS} items` }),
    EachItem(problemOf),
  );
}
