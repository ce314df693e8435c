import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

export { keepApart, parseKeeping, RawJson, writeJson } from '../../platform/json/index.js';

const memberTexts = new WeakMap<FastifyRequest, readonly [name: string, text: string]>();

/** Keeps the text of one member of a body. */
export function keepBodyText(request: FastifyRequest, name: string, text: string): void {
  memberTexts.set(request, [name, text]);
}

const itemTexts = new WeakMap<FastifyRequest, readonly [name: string, texts: ReadonlyMap<number, string>]>();

/** Keeps the text of one member of each item of a list, by the index of the item. */
export function keepItemTexts(
  request: FastifyRequest,
  name: string,
  texts: ReadonlyMap<number, string>,
): void {
  itemTexts.set(request, [name, texts]);
}

/** The JSON texts of a member of each item, as the client sent them, by index: the payloads of a batch. */
export const BodyItemTexts = createParamDecorator((wanted: string, context: ExecutionContext) => {
  const none: ReadonlyMap<number, string> = new Map();
  const [name, texts = none] = itemTexts.get(context.switchToHttp().getRequest<FastifyRequest>()) ?? [];
  return name === wanted ? texts : none;
});

/** The JSON text of a member of the body, as the client sent it, or null: the payload of a route that takes one. */
export const BodyMemberText = createParamDecorator((wanted: string, context: ExecutionContext) => {
  const [name, text = null] = memberTexts.get(context.switchToHttp().getRequest<FastifyRequest>()) ?? [];
  return name === wanted ? text : null;
});
