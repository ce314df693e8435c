import type { Call, CallOptions, Caller, Query, Verb } from './call.js';
import { List, nextCursor } from './list.js';
import type { Transport } from './transport.js';

type Method = Lowercase<Verb>;

/** The paths of an OpenAPI document that have a method. */
export type PathWith<Paths, Of extends Method> = {
  [Path in keyof Paths]: Paths[Path] extends Record<Of, { responses: unknown }> ? Path : never;
}[keyof Paths] &
  string;

type OperationAt<Paths, Path extends keyof Paths, Of extends Method> =
  Paths[Path] extends Record<Of, infer Operation> ? Operation : never;

type PathPart<Operation> = Operation extends { parameters: { path: infer Parameters } }
  ? { parameters: Parameters }
  : { parameters?: never };

type QueryPart<Operation> = Operation extends { parameters: { query: infer Named } }
  ? { query: Named }
  : Operation extends { parameters: { query?: infer Named } }
    ? { query?: Named | undefined }
    : { query?: never };

type JsonOf<Content> = Content extends { content: { 'application/json': infer Body } }
  ? Body
  : Content extends { content: { 'application/x-www-form-urlencoded': infer Form } }
    ? Form
    : never;

type BodyPart<Operation> = Operation extends { requestBody: { content: { 'application/x-ndjson': string } } }
  ? { raw: string; body?: never }
  : Operation extends { requestBody: infer Content }
    ? { body: JsonOf<Content> }
    : Operation extends { requestBody?: infer Content }
      ? { body?: JsonOf<NonNullable<Content>> | undefined }
      : { body?: never };

/** The input of an operation. */
export type InputOf<Operation> = PathPart<Operation> &
  QueryPart<Operation> &
  BodyPart<Operation> &
  CallOptions & {
    as?: Caller | undefined;
    headers?: Readonly<Record<string, string>> | undefined;
    form?: boolean | undefined;
    raw?: string | undefined;
    once?: boolean | undefined;
    repeatable?: boolean | undefined;
  };

/** The body of a response; undefined if there is none. */
export type AnswerOf<Operation> = Operation extends { responses: infer Responses }
  ? {
      [Status in keyof Responses]: Responses[Status] extends { content: infer Content }
        ? Content extends { 'application/json': infer Body }
          ? Body
          : Content extends { 'text/html': infer Page }
            ? Page
            : undefined
        : undefined;
    }[keyof Responses]
  : never;

type ItemOf<Answer> = Answer extends readonly (infer Item)[] ? Item : never;

/**
 * The operations of an OpenAPI document by method and path, with their types. The named methods of the client use them.
 * Use them directly for what has no named method.
 */
export class Api<Paths> {
  constructor(private readonly transport: Transport) {}

  async get<Path extends PathWith<Paths, 'get'>>(
    path: Path,
    input: InputOf<OperationAt<Paths, Path, 'get'>>,
  ): Promise<AnswerOf<OperationAt<Paths, Path, 'get'>>> {
    return (await this.transport.body(callOf('GET', path, input))) as never;
  }

  async post<Path extends PathWith<Paths, 'post'>>(
    path: Path,
    input: InputOf<OperationAt<Paths, Path, 'post'>>,
  ): Promise<AnswerOf<OperationAt<Paths, Path, 'post'>>> {
    return (await this.transport.body(callOf('POST', path, input))) as never;
  }

  async put<Path extends PathWith<Paths, 'put'>>(
    path: Path,
    input: InputOf<OperationAt<Paths, Path, 'put'>>,
  ): Promise<AnswerOf<OperationAt<Paths, Path, 'put'>>> {
    return (await this.transport.body(callOf('PUT', path, input))) as never;
  }

  async patch<Path extends PathWith<Paths, 'patch'>>(
    path: Path,
    input: InputOf<OperationAt<Paths, Path, 'patch'>>,
  ): Promise<AnswerOf<OperationAt<Paths, Path, 'patch'>>> {
    return (await this.transport.body(callOf('PATCH', path, input))) as never;
  }

  async delete<Path extends PathWith<Paths, 'delete'>>(
    path: Path,
    input: InputOf<OperationAt<Paths, Path, 'delete'>>,
  ): Promise<AnswerOf<OperationAt<Paths, Path, 'delete'>>> {
    return (await this.transport.body(callOf('DELETE', path, input))) as never;
  }

  /** Lists items, page after page. */
  list<Path extends PathWith<Paths, 'get'>>(
    path: Path,
    input: InputOf<OperationAt<Paths, Path, 'get'>>,
  ): List<ItemOf<AnswerOf<OperationAt<Paths, Path, 'get'>>>> {
    const call = callOf('GET', path, input);
    return new List(async (cursor) => {
      const query: Query = cursor === undefined ? { ...call.query } : { ...call.query, cursor };
      const { body, header: link } = await this.transport.withHeader({ ...call, query }, 'link');
      return { items: body as never[], nextCursor: nextCursor(link, this.transport.settings.url) };
    });
  }

  /** The response itself, before its body is read. */
  async open<Path extends PathWith<Paths, 'get'>>(
    path: Path,
    input: InputOf<OperationAt<Paths, Path, 'get'>>,
  ): Promise<Response> {
    return await this.transport.open(callOf('GET', path, input));
  }

  /** The response with a file, before its body is read. */
  async file<Path extends PathWith<Paths, 'get'>>(
    path: Path,
    input: InputOf<OperationAt<Paths, Path, 'get'>>,
  ): Promise<Response> {
    return await this.transport.file(callOf('GET', path, input));
  }
}

function callOf(method: Verb, path: string, input: object): Call {
  return { ...(input as Partial<Call>), method, path };
}
