import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateBy, ValidateIf } from 'class-validator';
import type { ValidationArguments } from 'class-validator';

/** What the OpenAPI document says about a field besides its type and limits. */
type Documented = Pick<ApiPropertyOptions, 'description' | 'example' | 'default' | 'writeOnly'>;

export interface FieldOptions extends Documented {
  /** May be omitted. */
  readonly optional?: boolean;
  /** May be omitted, but not if this other field is given. */
  readonly neededWith?: string;
  /** May be `null`. */
  readonly nullable?: boolean;
}

/** A field of a request: its OpenAPI documentation, and the rules that enforce it. */
export function field(
  schema: object,
  { optional = false, neededWith, nullable = false, ...documented }: FieldOptions,
  ...rules: PropertyDecorator[]
): PropertyDecorator {
  const required = !optional && neededWith === undefined;
  const isAsked = (dto: Readonly<Record<string, unknown>>, value: unknown): boolean => {
    if (value === null) return !nullable;
    return value !== undefined || required || (neededWith !== undefined && dto[neededWith] !== undefined);
  };
  return applyDecorators(
    ApiProperty({
      ...schema,
      ...documented,
      ...(nullable ? { nullable } : {}),
      required,
    }),
    ...(required && !nullable ? [] : [ValidateIf(isAsked)]),
    ...rules,
  );
}

/** A custom rule. @param problemOf what is wrong with a value of the object, or null */
export function Rule(
  problemOf: (value: unknown, dto: Readonly<Record<string, unknown>>) => string | null,
): PropertyDecorator {
  const problemIn = ({ value, object }: ValidationArguments): string | null =>
    problemOf(value, object as Record<string, unknown>);
  return ValidateBy({
    name: 'rule',
    validator: {
      validate: (_value, about) => about === undefined || problemIn(about) === null,
      defaultMessage: (about) => (about === undefined ? '' : (problemIn(about) ?? '')),
    },
  });
}
