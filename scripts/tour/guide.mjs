import { isDeepStrictEqual } from 'node:util';

const ANSWER_LIMIT_MS = 15_000;
const SHOWN_WIDTH = 100;
const SHOWN_TOKEN_LENGTH = 12;
const TOKENS = new Set(['access_token', 'refresh_token']);

/** An expectation that did not hold; the message says which, what came instead, and what to do. */
export class TourError extends Error {}

/** Asks, prints what was asked and answered, and compares that with what was expected. */
export class Guide {
  #step = 0;
  #title = '';

  constructor(url) {
    this.url = url.replace(/\/+$/, '');
    print(`A tour of ${this.url}`);
  }

  /** One printed request. Without a method: POST where there is a body, else GET. Answers the body. */
  async step(title, { method, path, headers = {}, body, expect, hint, show = (answer) => answer }) {
    this.#step += 1;
    this.#title = title;
    print(`\n${this.#step}. ${title}`);
    print(`   ${method ?? methodOf(body)} ${path}`);
    for (const [name, value] of Object.entries(headers)) print(`   ${name}: ${shortened(value)}`);
    if (body !== undefined) printJson(body);
    const answer = await this.ask({ method, path, headers, body });
    print(`   → ${answer.status}`);
    printJson(show(answer.body));
    this.check('the status', expect.status, answer.status, (status) => status === expect.status, hint);
    if (expect.body !== undefined) {
      this.check('the body', expect.body, answer.body, (got) => includes(got, expect.body), hint);
    }
    return answer.body;
  }

  /** A request that is not printed. */
  async ask({ method, path, headers = {}, body }) {
    try {
      const response = await fetch(`${this.url}${path}`, {
        method: method ?? methodOf(body),
        headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json');
      return { status: response.status, body: isJson ? JSON.parse(text) : text };
    } catch (error) {
      const reason = error.cause?.code ?? error.message;
      throw new TourError(
        `${this.url} does not answer (${reason}).\n` +
          'Start the server in another terminal with: npm start\n' +
          'If it listens elsewhere, name the place: npm run tour -- http://127.0.0.1:8081',
      );
    }
  }

  check(what, expected, got, holds, hint) {
    if (holds(got)) return;
    throw new TourError(
      [
        `FAILED at step ${this.#step}: ${this.#title}`,
        `What:     ${what}`,
        `Expected: ${text(expected)}`,
        `Got:      ${text(got)}`,
        ...(hint === undefined ? [] : [hint]),
      ].join('\n'),
    );
  }

  done() {
    print(`\nAll ${this.#step} steps went as expected.`);
  }
}

function methodOf(body) {
  return body === undefined ? 'GET' : 'POST';
}

/** Whether `whole` has all that `part` has: of objects the named fields, of lists every item in place. */
function includes(whole, part) {
  if (Array.isArray(part)) {
    return (
      Array.isArray(whole) &&
      whole.length === part.length &&
      part.every((item, index) => includes(whole[index], item))
    );
  }
  if (typeof part !== 'object' || part === null) return isDeepStrictEqual(whole, part);
  return (
    typeof whole === 'object' &&
    whole !== null &&
    Object.entries(part).every(([key, value]) => includes(whole[key], value))
  );
}

function shortened(value) {
  return value.replace(/^(Bearer .{12}).*/, '$1…');
}

function withoutTokens(key, value) {
  return TOKENS.has(key) && typeof value === 'string' ? `${value.slice(0, SHOWN_TOKEN_LENGTH)}…` : value;
}

function text(value) {
  return typeof value === 'string' ? value : JSON.stringify(value, withoutTokens);
}

function printJson(value) {
  const isLines = Array.isArray(value) && value.every((line) => typeof line === 'string');
  for (const line of isLines ? value : jsonLines(JSON.parse(JSON.stringify(value, withoutTokens))))
    print(`   ${line}`);
}

/** JSON with whatever fits into one line in one line. */
function jsonLines(value, prefix = '', suffix = '') {
  const flat = `${prefix}${JSON.stringify(value)}${suffix}`;
  if (flat.length <= SHOWN_WIDTH || typeof value !== 'object' || value === null) return [flat];
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  const inner = entries.flatMap(([key, item], index) =>
    jsonLines(item, isList ? '' : `${JSON.stringify(key)}: `, index < entries.length - 1 ? ',' : ''),
  );
  const [open, close] = isList ? '[]' : '{}';
  return [`${prefix}${open}`, ...inner.map((line) => `  ${line}`), `${close}${suffix}`];
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
