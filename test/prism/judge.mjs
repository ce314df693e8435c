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

/** Only responses count: tests send wrong requests on purpose. */
const CONFIG = {
  isProxy: true,
  upstream: new URL('http://127.0.0.1'),
  checkSecurity: false,
  validateRequest: false,
  validateResponse: true,
  errors: false,
};

const JSON_TYPE = /^application\/(?:[^;]+\+)?json\b/;

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
   * @returns {Promise<{ operation: string | null, violations: string[] }>} the operation, null where the document has
   *   none, and what Prism finds wrong with the response
   */
  async judge({ request, status, headers, body }) {
    const [path = '', query = ''] = request.target.split('?', 2);
    const input = {
      method: request.method.toLowerCase(),
      url: { path, query: Object.fromEntries(new URLSearchParams(query)) },
      headers: {},
      response: { statusCode: status, headers, body: parsed(body, status, headers) },
    };
    const result = await this.#prism.request(input, this.#operations, CONFIG)();
    if (result._tag === 'Left') throw result.left;
    const { operation } = input;
    return {
      operation: operation === undefined ? null : `${operation.method.toUpperCase()} ${operation.path}`,
      violations: result.right.validations.output.map(({ message }) => message),
    };
  }

  /** The responses for which Prism accepts a body that is no JSON, although their schema asks for a type. */
  async #ignoredSchemas() {
    const ignored = [];
    for (const { method, path, responses } of this.#operations)
      for (const { code, contents = [] } of responses)
        for (const { mediaType, schema } of contents) {
          if (!JSON_TYPE.test(mediaType) || !hasType(schema)) continue;
          const { violations } = await this.judge({
            request: { method, target: path.replaceAll(/\{[^}]+\}/g, '0') },
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
function parsed(text, status, headers) {
  if (status === 204 || !JSON_TYPE.test(headers['content-type'] ?? '')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
