import { createInstance, getHttpOperationsFromSpec } from '@stoplight/prism-http';
import * as TaskEither from 'fp-ts/lib/TaskEither.js';

const SILENT = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  debug: () => undefined,
  success: () => undefined,
  child: () => SILENT,
};

const CONFIG = {
  isProxy: true,
  upstream: new URL('http://127.0.0.1'),
  validateResponse: true,
  errors: false,
};

const JSON_TYPE = /^\s*application\/(?:[^;]+\+)?json\b/i;

/** Prism as a proxy with a forwarder of our own: it returns the response that has come already. */
export class Judge {
  #operations;
  #prism;

  constructor(operations) {
    this.#operations = operations;
    this.#prism = createInstance(CONFIG, {
      logger: SILENT,
      forward:
        ({ data }, _upstream, _proxy, operation) =>
        () => {
          data.operation = operation;
          return TaskEither.right(data.response);
        },
    });
  }

  /** @param {object} document an OpenAPI document */
  static async of(document) {
    const judge = new Judge(await getHttpOperationsFromSpec(document));
    const ignored = await judge.#ignoredSchemas();
    // Prism ignores a schema that it cannot compile, and finds no violation of it.
    if (ignored.length > 0) throw new Error(`Prism ignores the schemas of ${ignored.join(', ')}`);
    return judge;
  }

  /**
   * What Prism finds wrong with a response. Of requests only those count that the program accepts: tests send wrong ones
   * on purpose, to see them refused.
   * @returns {Promise<{ operation: string | null, violations: string[] }>} the operation, null where the document has none
   */
  async judge(request, { status, headers, body }) {
    const [path = '', query = ''] = request.target.split('?', 2);
    const input = {
      method: request.method.toLowerCase(),
      url: { path, query: Object.fromEntries(new URLSearchParams(query)) },
      headers: request.headers,
      body: request.body === '' ? undefined : parsed(request),
      response: { statusCode: status, headers, body: status === 204 ? body : parsed({ headers, body }) },
    };
    const isAccepted = status < 300 && request.isComplete === true;
    // Prism throws at percent signs and media types that it cannot parse, also of a body that nobody reads.
    const result = await this.#ask(input, isAccepted).catch(() => this.#ask(input, false));
    if (result._tag === 'Left') throw result.left;
    const { operation } = input;
    if (operation === undefined) return { operation: null, violations: [] };
    const { input: ofRequest, output: ofResponse } = result.right.validations;
    return {
      operation: `${operation.method.toUpperCase()} ${operation.path}`,
      violations: [...ofRequest, ...ofResponse].map(({ message }) => message),
    };
  }

  async #ask(input, hasRequestChecked) {
    const config = { ...CONFIG, checkSecurity: hasRequestChecked, validateRequest: hasRequestChecked };
    return await this.#prism.request(input, this.#operations, config)();
  }

  /** The responses for which Prism accepts a body that is no JSON, although their schema asks for a type. */
  async #ignoredSchemas() {
    const ignored = [];
    for (const { method, path, responses } of this.#operations)
      for (const { code, contents = [] } of responses)
        for (const { mediaType, schema } of contents) {
          if (!JSON_TYPE.test(mediaType) || !hasType(schema)) continue;
          const request = { method, target: path.replaceAll(/\{[^}]+\}/g, '0'), headers: {}, body: '' };
          const { violations } = await this.judge(request, {
            status: code === 'default' ? 599 : Number(code),
            headers: { 'content-type': mediaType },
            body: 'no JSON',
          });
          if (violations.length === 0) ignored.push(`${method.toUpperCase()} ${path} ${code}`);
        }
    return ignored;
  }
}

function hasType(schema = {}) {
  return ['type', 'anyOf', 'oneOf', 'allOf'].some((key) => key in schema);
}

/** A body as Prism's own forwarder reads it. What calls itself JSON and is not stays text, and no schema allows it. */
function parsed({ headers, body }) {
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
