import { Ajv2020 } from 'ajv/dist/2020.js';
import type { AnySchema, ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { RawAnswer } from '../../../support/raw-http.js';
import type { ApiResponse, MediaType, OpenApi, Operation } from './document.js';

const DOCUMENT = 'openapi.json';

interface ErrorBody {
  readonly error?: { readonly code?: unknown; readonly status?: unknown };
}

/** A copy in which objects have no members but those that they name: an answer with more is not as documented. */
function sealed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sealed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, sealed(inner)]));
  const isNamed = 'properties' in copy && !('additionalProperties' in copy);
  return isNamed ? { ...copy, additionalProperties: false } : copy;
}

/** Schemas of an OpenAPI document, ready to be asked. */
export class Schemas {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly compiled = new Map<string, ValidateFunction>();

  /** @param isSealed whether objects may have the members alone that their schemas name */
  constructor(document: OpenApi, isSealed: boolean) {
    addFormats.default(this.ajv);
    const { components } = document;
    const schemas = isSealed ? sealed(components) : components;
    this.ajv.addSchema({ $id: DOCUMENT, components: schemas });
  }

  /** What keeps the value from being one of the schema; null where nothing does. */
  fault(schema: unknown, value: unknown): string | null {
    const text = JSON.stringify(schema).replaceAll('"#/components/', `"${DOCUMENT}#/components/`);
    const validate = this.compiled.get(text) ?? this.ajv.compile(JSON.parse(text) as AnySchema);
    this.compiled.set(text, validate);
    return validate(value) ? null : this.ajv.errorsText(validate.errors).slice(0, 500);
  }
}

function typeOf({ headers }: RawAnswer): string {
  return (headers['content-type'] ?? '').split(';', 1)[0] ?? '';
}

function codesOf(response: ApiResponse | undefined): string[] {
  return Object.keys(response?.content?.['application/json']?.examples ?? {});
}

/** The statuses of the codes that a default response shows. */
function generalStatuses(response: ApiResponse | undefined): number[] {
  const examples = Object.values(response?.content?.['application/json']?.examples ?? {});
  return examples.flatMap(({ value }) => {
    const { status } = (value as ErrorBody).error ?? {};
    return typeof status === 'number' ? [status] : [];
  });
}

/** What holds for every answer, whatever the request. */
function generalFaults(answer: RawAnswer, isHead: boolean): string[] {
  const { status, headers, text } = answer;
  const faults: string[] = [];
  if (!/^[A-Za-z0-9._-]{1,128}$/.test(headers['x-request-id'] ?? '')) faults.push('there is no X-Request-Id');
  if (status === 500 || Number.isNaN(status)) faults.push(`the status is ${status}: ${text}`);
  if (status < 400 || isHead || typeOf(answer) !== 'application/json') return faults;
  const { error } = jsonOf(text) as ErrorBody;
  // Of health the report.
  if (error === undefined && status !== 503) faults.push(`the error has no error body: ${text}`);
  if (error !== undefined && error.status !== status)
    faults.push(`the body says ${String(error.status)}, the status line ${status}`);
  return faults;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/** Judges answers by an OpenAPI document. */
export class Answers {
  private readonly schemas: Schemas;

  constructor(document: OpenApi) {
    this.schemas = new Schemas(document, true);
  }

  /** What is wrong with an answer that came to no operation. */
  faultsOfAny(answer: RawAnswer, method: string): string[] {
    const { status } = answer;
    const unexpected = status < 400 && method !== 'HEAD' ? [] : [];
    return [...generalFaults(answer, method === 'HEAD'), ...unexpected];
  }

  /** What of an answer to an operation is not as the document has it. */
  faultsOf(answer: RawAnswer, operation: Operation): string[] {
    const { status, text } = answer;
    const general = operation.responses.default;
    const special = operation.responses[status];
    const faults = generalFaults(answer, false);
    if (special === undefined && !generalStatuses(general).includes(status))
      return [...faults, `the status ${status} is not documented: ${text.slice(0, 300)}`];
    const response = special ?? general;
    if (response?.content === undefined) return text === '' ? faults : [...faults, `${status} has a body`];
    const media = response.content[typeOf(answer)];
    if (media === undefined) {
      const isGeneral = status >= 400 && typeOf(answer) in (general?.content ?? {});
      if (!isGeneral) return [...faults, `the type ${typeOf(answer)} is not documented with ${status}`];
    }
    return [
      ...faults,
      ...this.bodyFaults(answer, media ?? { schema: { $ref: '#/components/schemas/Error' } }),
      ...codeFaults(answer, [...codesOf(special), ...codesOf(general)]),
    ];
  }

  private bodyFaults(answer: RawAnswer, { schema }: MediaType): string[] {
    if (typeOf(answer) !== 'application/json') return [];
    const fault = this.schemas.fault(schema, JSON.parse(answer.text));
    return fault === null ? [] : [`the body of ${answer.status} is not as documented: ${fault}`];
  }
}

function codeFaults({ status, text }: RawAnswer, documented: readonly string[]): string[] {
  const { code } = status < 400 ? {} : ((jsonOf(text) as ErrorBody).error ?? {});
  if (typeof code !== 'string' || documented.includes(code)) return [];
  return [`${status} ${code} is not documented`];
}
