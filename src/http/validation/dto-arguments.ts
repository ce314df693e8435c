import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { CUSTOM_ROUTE_ARGS_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { validated } from './validation.js';

/** Validates an argument whose type is a DTO class. */
const dtoPipe: PipeTransform = {
  transform: (value: unknown, { metatype }: ArgumentMetadata) => validated(metatype as Type<object>, value),
};

/** What Nest stores about an argument of a route. */
interface RouteArgument {
  readonly index: number;
  pipes: readonly PipeTransform[];
}

/**
 * Validates the arguments of a route that have DTO classes. A pipe for all routes would make every argument of every
 * route wait for a promise, even those from our own decorators.
 */
export function ValidatesDtos(): MethodDecorator {
  return (target, method) => {
    const declared: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, target.constructor, method);
    const types = (Reflect.getMetadata('design:paramtypes', target, method) ?? []) as readonly unknown[];
    for (const [key, argument] of Object.entries((declared ?? {}) as Record<string, RouteArgument>)) {
      const isOurs = key.includes(CUSTOM_ROUTE_ARGS_METADATA);
      if (!isOurs && isDto(types[argument.index])) argument.pipes = [dtoPipe, ...argument.pipes];
    }
  };
}

/** Whether the type of an argument is a DTO class. */
export function isDto(type: unknown): type is Type<object> {
  return typeof type === 'function' && ![String, Number, Boolean, Object].includes(type as never);
}
