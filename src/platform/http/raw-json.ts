import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { visit } from 'jsonc-parser';

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

/**
 * The text of a member of a JSON object, exactly as it stands there; of a repeated name the last, which is the
 * one that JSON.parse takes. Null when there is none. The text must be valid JSON.
 */
export function memberText(json: string, name: string): string | null {
  let found: string | null = null;
  let isWanted = false;
  let depth = 0;
  let start = 0;
  const open = (offset: number): void => {
    if (depth === 1) start = offset;
    depth += 1;
  };
  const take = (end: number): void => {
    if (depth === 1 && isWanted) found = json.slice(start, end);
  };
  const close = (offset: number, length: number): void => {
    depth -= 1;
    take(offset + length);
  };
  visit(json, {
    onObjectBegin: open,
    onArrayBegin: open,
    onObjectEnd: close,
    onArrayEnd: close,
    onObjectProperty: (property) => {
      if (depth === 1) isWanted = property === name;
    },
    onLiteralValue: (_value: unknown, offset, length) => {
      if (depth !== 1) return;
      start = offset;
      take(offset + length);
    },
  });
  return found;
}

const bodyTexts = new WeakMap<FastifyRequest, string>();

/** Keeps the text of a body beside what it was parsed to. */
export function keepBodyText(request: FastifyRequest, text: string): void {
  bodyTexts.set(request, text);
}

/** The JSON text of a member of the body as it was sent, or null. For routes whose bodies become payloads. */
export const BodyMemberText = createParamDecorator((name: string, context: ExecutionContext) => {
  const text = bodyTexts.get(context.switchToHttp().getRequest<FastifyRequest>());
  return text === undefined ? null : memberText(text, name);
});
