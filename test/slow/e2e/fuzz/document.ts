export type Schema = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface MediaType {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, { value: unknown }>>;
}

export interface ApiResponse {
  readonly content?: Readonly<Record<string, MediaType>>;
}

export interface Operation {
  /** `GET /jobs/v1/runs/{id}` */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, MediaType>>;
  } | null;
  readonly responses: Readonly<Record<string, ApiResponse>>;
  readonly security: readonly Readonly<Record<string, unknown>>[];
}

/** An OpenAPI document as far as it is read here. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Omit<Operation, 'name' | 'body'>>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
}

interface WrittenOperation extends Omit<Operation, 'name' | 'body'> {
  readonly requestBody?: Operation['body'];
}

/** What a reference of the document leads to, or the value itself where it is none. */
export function resolved<Value extends object>(document: OpenApi, value: Value): Value {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value;
  const found = value.$ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
  if (found === undefined) throw new Error(`nothing at ${value.$ref}`);
  return resolved(document, found as Value);
}

/** Every operation of a document, with the responses that it refers to. */
export function operationsOf(document: OpenApi): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    (Object.entries(item) as [string, WrittenOperation][]).map(([verb, written]) => {
      const method = verb.toUpperCase();
      const responses = Object.entries(written.responses).map(
        ([status, response]) => [status, resolved(document, response)] as const,
      );
      return {
        name: `${method} ${path}`,
        method,
        path,
        parameters: written.parameters,
        body: written.requestBody ?? null,
        responses: Object.fromEntries(responses),
        security: written.security,
      };
    }),
  );
}
