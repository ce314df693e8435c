// A thread of its own: to compile the schemas of a document takes seconds, in which the proxies must not stand still.
import { parentPort } from 'node:worker_threads';
import { Judge } from './judge.mjs';

/** Served beside the API that the document describes. */
const BESIDE = /^GET \/(?:openapi\.(?:json|yaml)|docs(?:\/|$))/;
/** Of these HTTP says what they answer. */
const METHODS_OF_HTTP = ['HEAD', 'OPTIONS'];

/** What OpenAPI has no parameter for: the rest of a path. Its slashes may be sent encoded, as the document says. */
const RESTS = [/^(\/vault\/v1\/secrets\/)([^?]+)/, /^(\/auth\/v1\/gate\/[^/?]+\/)([^?]+)/];

const judges = new Map();
const violations = new Map();
const counts = { judged: 0, refused: 0, cut: 0 };
let turn = Promise.resolve();

const actions = {
  document: async ({ hash, text }) => {
    judges.set(hash, await Judge.of(JSON.parse(text)));
  },
  exchange: async ({ hash, suite, exchange }) => {
    const [request, response] = [withText(exchange.request), withText(exchange.response)];
    const { status, headers, isComplete } = response;
    if (!isComplete && headers['content-type']?.startsWith('text/event-stream') !== true) {
      counts.cut += 1;
      return;
    }
    const target = RESTS.reduce((path, pattern) => path.replace(pattern, withEncodedRest), request.target);
    const found = await judges.get(hash).judge({ ...request, target }, response);
    const name = `${request.method} ${request.target}`;
    if (found.operation === null) {
      counts.refused += 1;
      const isServed = status < 400 && !METHODS_OF_HTTP.includes(request.method) && !BESIDE.test(name);
      if (isServed) found.violations.push('The document has no such operation');
    } else counts.judged += 1;
    for (const message of found.violations)
      keep(`${found.operation ?? name} ${status}: ${message}`, {
        suite,
        request: `${name} ${request.body.slice(0, 300)}`,
        body: response.body.slice(0, 500),
      });
  },
  end: () => {
    const list = [...violations].map(([violation, { suites, ...rest }]) => ({
      violation,
      suites: [...suites],
      ...rest,
    }));
    parentPort.postMessage({ counts, violations: list });
  },
};

function withText(message) {
  return { ...message, body: Buffer.from(message.body).toString('utf8') };
}

function withEncodedRest(_path, start, rest) {
  return start + rest.replaceAll('/', '%2F');
}

function keep(violation, { suite, ...first }) {
  const known = violations.get(violation) ?? { count: 0, suites: new Set(), ...first };
  known.count += 1;
  known.suites.add(suite);
  violations.set(violation, known);
}

parentPort.on('message', ({ action, ...message }) => {
  turn = turn
    .then(() => actions[action](message))
    .catch((error) => keep(`Prism failed: ${error.stack}`, { suite: message.suite ?? action }));
});
