import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/**
 * JSON text that goes into an answer as it is. A number of JSON may have more digits than a number of
 * JavaScript (RFC 8259, section 6); to parse it and write it again would give another one.
 */
export class RawJson {
  constructor(readonly text: string) {}
}

/** Writes an answer's body; RawJson may stand for any member of the object that it is. */
export function writeJson(body: unknown): string {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (!isObject || !Object.values(body).some((value) => value instanceof RawJson))
    return JSON.stringify(body);
  const members = Object.entries(body).flatMap(([name, value]: [string, unknown]) => {
    const text = value instanceof RawJson ? value.text : (JSON.stringify(value) as string | undefined);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join(',')}}`;
}

const memberTexts = new WeakMap<FastifyRequest, readonly [name: string, text: string]>();

/** Keeps the text of a member of a body. */
export function keepBodyText(request: FastifyRequest, name: string, text: string): void {
  memberTexts.set(request, [name, text]);
}

const itemTexts = new WeakMap<FastifyRequest, readonly [name: string, texts: ReadonlyMap<number, string>]>();

/** Keeps the texts of a member of each item of a body's list, by the index of the item. */
export function keepItemTexts(
  request: FastifyRequest,
  name: string,
  texts: ReadonlyMap<number, string>,
): void {
  itemTexts.set(request, [name, texts]);
}

/** The JSON texts of a member of the items of a body, as they were sent, by index. For the payloads of a batch. */
export const BodyItemTexts = createParamDecorator((wanted: string, context: ExecutionContext) => {
  const none: ReadonlyMap<number, string> = new Map();
  const [name, texts = none] = itemTexts.get(context.switchToHttp().getRequest<FastifyRequest>()) ?? [];
  return name === wanted ? texts : none;
});

/** The JSON text of a member of the body as it was sent, or null. For the payload of routes that take one. */
export const BodyMemberText = createParamDecorator((wanted: string, context: ExecutionContext) => {
  const [name, text = null] = memberTexts.get(context.switchToHttp().getRequest<FastifyRequest>()) ?? [];
  return name === wanted ? text : null;
});
