import { Schemas } from './answers.js';
import type { OpenApi, Operation, Parameter } from './document.js';
import type { Parts } from './requests.js';

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/** The value that the text of a parameter stands for, by its type. */
function typed(text: string, { schema }: Parameter): unknown {
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  const isNumber = schema.type === 'integer' || schema.type === 'number';
  return isNumber && /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

/** Judges requests that were accepted: what the program takes, its document must allow. */
export class AcceptedRequests {
  private readonly schemas: Schemas;

  constructor(document: OpenApi) {
    this.schemas = new Schemas(document, true);
  }

  faultsOf(operation: Operation, parts: Parts): string[] {
    return [
      ...operation.parameters.flatMap((parameter) => this.parameterFaults(parameter, parts)),
      ...this.bodyFaults(operation, parts),
    ];
  }

  private parameterFaults(parameter: Parameter, parts: Parts): string[] {
    const { name, required = false, schema } = parameter;
    if (schema.type === 'object') return [];
    const [text, ...more] = textsOf(parameter, parts);
    if (text === undefined) return required ? [`accepted without ${name}`] : [];
    // A list, which HTTP lets be sent in several headers (RFC 9110, section 13.1.2).
    if (name === 'If-None-Match') return [];
    if (more.length > 0) return [`accepted ${name} more than once`];
    const fault = this.schemas.fault(schema, typed(text, parameter));
    return fault === null ? [] : [`accepted ${name}=${JSON.stringify(text)}: ${fault}`];
  }

  private bodyFaults({ body: documented, method }: Operation, { body, contentType }: Parts): string[] {
    if (documented === null || method === 'GET') return [];
    if (body.length === 0) return documented.required === true ? ['accepted without a body'] : [];
    // What is JSON by its suffix (RFC 6839) is taken as such.
    const type =
      (contentType ?? '')
        .split(';', 1)[0]
        ?.trim()
        .toLowerCase()
        .replace(/\/.*\+json$/, '/json') ?? '';
    const media = documented.content[type] ?? documented.content['*/*'];
    if (media === undefined) return [`accepted a body of the type ${type}`];
    if (type !== 'application/json') return [];
    const fault = this.schemas.fault(media.schema, JSON.parse(textOf(body)));
    return fault === null ? [] : [`accepted the body ${body.toString().slice(0, 300)}: ${fault}`];
  }
}

/** UTF-8, unless a byte order mark says otherwise, which hooks take (docs/webhooks.md). */
function textOf(body: Buffer): string {
  const mark = body.subarray(0, 2).toString('hex');
  return new TextDecoder(mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8').decode(body);
}

function textsOf({ name, in: where }: Parameter, { segments, query, headers }: Parts): string[] {
  if (where === 'path')
    return segments.filter((segment) => segment.name === name).map(({ text }) => decoded(text) ?? text);
  const pairs = where === 'query' ? query.map(([key, value]) => [decoded(key), decoded(value)]) : headers;
  return pairs.flatMap(([key, value]) =>
    key?.toLowerCase() === name.toLowerCase() && value != null ? [value] : [],
  );
}
