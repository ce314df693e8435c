import parsing from 'http-parser-js';

const { HTTPParser } = parsing;

/**
 * Reads the exchanges of one connection from the bytes that pass in each direction. It only reads: bytes that are not HTTP
 * end the reading and not the connection.
 */
export class Exchanges {
  /** Those that wait for their responses. */
  #requests = [];
  /** The one that arrives. */
  #request = null;
  #response = null;
  #isReadable = true;
  #requestParser;
  #responseParser;
  #onExchange;

  /** @param {(exchange: object) => void} onExchange is called at the end of each response */
  constructor(onExchange) {
    this.#onExchange = onExchange;
    this.#requestParser = parser(HTTPParser.REQUEST, {
      head: ({ method, url, headers }) => {
        this.#requests.push({
          method: HTTPParser.methods[method],
          target: url,
          headers: named(headers),
          chunks: [],
        });
        this.#request = this.#requests.at(-1);
      },
      body: (chunk) => this.#request.chunks.push(chunk),
      end: () => {
        this.#request.isComplete = true;
      },
    });
    this.#responseParser = parser(HTTPParser.RESPONSE, {
      head: ({ statusCode, headers }) => {
        // 100 Continue comes before the response.
        const isFinal = statusCode >= 200;
        const request = isFinal ? this.#requests.shift() : undefined;
        this.#response = { isFinal, request, status: statusCode, headers: named(headers), chunks: [] };
        const hasNoBody = request?.method === 'HEAD';
        return hasNoBody;
      },
      body: (chunk) => this.#response.chunks.push(chunk),
      end: () => this.#deliver(true),
    });
  }

  /** Bytes on their way to the program. */
  request(chunk) {
    this.#read(this.#requestParser, chunk);
  }

  /** Bytes on their way back. */
  response(chunk) {
    this.#read(this.#responseParser, chunk);
  }

  /** The program has closed the connection: a response without a length is complete, any other is cut off. */
  close() {
    if (this.#isReadable) this.#responseParser.finish();
    this.#deliver(false);
    this.#isReadable = false;
  }

  #read(reader, chunk) {
    if (this.#isReadable && reader.execute(chunk) instanceof Error) this.#isReadable = false;
  }

  #deliver(isComplete) {
    if (this.#response === null) return;
    const { isFinal, request, ...response } = this.#response;
    this.#response = null;
    if (isFinal && request !== undefined)
      this.#onExchange({ request: whole(request), response: { ...whole(response), isComplete } });
  }
}

function parser(type, { head, body, end }) {
  const created = new HTTPParser(type);
  created[HTTPParser.kOnHeadersComplete] = head;
  created[HTTPParser.kOnBody] = (buffer, offset, length) => body(buffer.subarray(offset, offset + length));
  created[HTTPParser.kOnMessageComplete] = end;
  return created;
}

/** Headers by their names in lower case; the values of a repeated one are joined by commas, as Prism joins them. */
function named(flat) {
  const headers = {};
  for (let at = 0; at < flat.length; at += 2) {
    const name = flat[at].toLowerCase();
    headers[name] = name in headers ? `${headers[name]},${flat[at + 1]}` : flat[at + 1];
  }
  return headers;
}

function whole({ chunks, ...message }) {
  return { ...message, body: Buffer.concat(chunks) };
}
