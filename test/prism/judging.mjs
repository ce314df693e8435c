// A thread of its own: to compile the schemas of a document takes seconds, in which the proxies must not stand still.
import { parentPort } from 'node:worker_threads';
import { Judge } from './judge.mjs';

/** Served beside the API that the document describes. */
const BESIDE = /^GET \/(?:openapi\.(?:json|yaml)|docs(?:\/|$))/;
/** OpenAPI has a description for these alone, and of two of them HTTP says what they answer. */
const DESCRIBED = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'];
/** A body where the document has none. */
const IGNORED_BODY = 'No supported content types, but request included a non-empty body';

/** What OpenAPI has no parameter for: the rest of a path. Its slashes may be sent encoded, as the document says. */
const RESTS = [/^(\/vault\/v1\/secrets\/)([^?]+)/, /^(\/auth\/v1\/gate\/[^/?]+\/)([^?]*)/];

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
    found.violations = found.violations.filter((message) => !isLeniency(message, request));
    const name = `${request.method} ${request.target}`;
    if (found.operation === null) {
      counts.refused += 1;
      const isServed = status < 400 && DESCRIBED.includes(request.method) && !BESIDE.test(name);
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

/** What the program accepts beyond the document, as HTTP servers do: see decision 31. */
function isLeniency(message, { body }) {
  return (
    message === IGNORED_BODY ||
    // Addresses are trimmed.
    (message.endsWith('must match format "email"') && /"\s+[^\s"]+@|@[^\s"]+\s+"/.test(body))
  );
}

function withText(message) {
  return { ...message, body: Buffer.from(message.body).toString('utf8') };
}

function withEncodedRest(_path, start, rest) {
  return start + (rest === '' ? '%2F' : rest.replaceAll('/', '%2F'));
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
