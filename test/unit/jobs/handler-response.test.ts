import { gzipSync } from 'node:zlib';
import { asFetched, classifyResponse } from '../../../src/jobs/invoker/handler-response.js';
import { decodeBody } from '../../../src/platform/outbound/content-coding.js';

const NOW = new Date('2026-01-31T12:00:00.000Z');
const MAX = 1024 * 1024;

async function answerOf(status: number, headers: Record<string, string>, received: Buffer) {
  const decoded = await decodeBody(received, headers['content-encoding'] ?? '', MAX);
  return { status, headers, received, ...decoded };
}

describe('an answer of a handler', () => {
  it.each([
    ['true', 'deferred'],
    [' True', 'deferred'],
    // As Node joins a header that was sent twice.
    ['true, true', 'deferred'],
    ['true, false', 'completed'],
    ['', 'completed'],
  ])('of 202 with Service-Defer %j is %s', async (header, kind) => {
    const answer = await answerOf(202, { 'service-defer': header }, Buffer.alloc(0));
    expect(classifyResponse(answer, NOW)).toMatchObject({ kind });
  });

  it.each([
    ['a byte order mark', 'application/json', Buffer.from('\ufeff{"error":"no such card"}')],
    ['text/json', 'text/json', Buffer.from('{"error":"no such card"}')],
    ['UTF-16', 'application/json', Buffer.from('\ufeff{"error":"no such card"}', 'utf16le')],
    [
      'a type that is written in JSON',
      'application/problem+json; charset=utf-8',
      Buffer.from('{"error":"no such card"}'),
    ],
    ['windows-1252', 'application/json; charset=windows-1252', Buffer.from('{"error":"no such card"}')],
  ])('has its reason, with %s', async (_, type, body) => {
    const answer = classifyResponse(await answerOf(422, { 'content-type': type }, body), NOW);
    expect(answer).toMatchObject({ kind: 'failed', code: 'handler_fatal', message: 'no such card' });
  });

  it.each([
    ['"Ren\xe9"', 'application/json', 'the handler answered 422, and its answer is not UTF-8'],
    [
      '{"error":',
      'text/json',
      'the handler answered 422, and its answer is not the JSON that its Content-Type says: {"error":',
    ],
    [
      '{}',
      'application/json; charset=x',
      'the handler answered 422, and its answer has the charset "x", which is not known',
    ],
    [
      '<html>',
      'text/html',
      'the handler answered 422, and its answer has the Content-Type "text/html", of which no reason is kept',
    ],
    [
      '{"error":"no such card"}',
      'application/octet-stream',
      'the handler answered 422, and its answer is JSON with the Content-Type "application/octet-stream"; answer with application/json',
    ],
  ])('%j as %s says what kept its reason from being read', async (body, type, message) => {
    const answer = await answerOf(422, { 'content-type': type }, Buffer.from(body, 'latin1'));
    expect(classifyResponse(answer, NOW)).toMatchObject({ message });
  });

  it.each([
    [
      '{"title":"Payment Required","detail":"no credit","status":402}',
      'application/problem+json',
      'no credit',
    ],
    ['{"type":"about:blank","title":"Payment Required"}', 'application/problem+json', 'Payment Required'],
    ['{"detail":"no credit"}', 'application/json', 'no credit'],
    ['{"error":"first","detail":"no credit"}', 'application/problem+json', 'first'],
    ['{"error":"","detail":" ","title":"at last"}', 'application/json', 'at last'],
    ['{"error":1}', 'application/json', 'the handler answered 422: {"error":1}'],
    [
      '{"error":{"message":"no"}}',
      'application/json',
      'the handler answered 422: {"error":{"message":"no"}}',
    ],
    [' "no credit" ', 'application/json', 'the handler answered 422: "no credit"'],
    ['no credit\n', 'text/plain; charset=utf-8', 'the handler answered 422: no credit'],
    ['no credit', '', 'the handler answered 422: no credit'],
    ['{"error":"no such card"}', 'text/plain', 'the handler answered 422: {"error":"no such card"}'],
    ['{}', 'application/json', 'the handler answered 422'],
    [' \n', 'text/plain', 'the handler answered 422'],
  ])('%j as %j has this reason: %s', async (body, type, message) => {
    const headers = (type === '' ? {} : { 'content-type': type }) as Record<string, string>;
    expect(classifyResponse(await answerOf(422, headers, Buffer.from(body)), NOW)).toMatchObject({ message });
  });

  it('has a bounded part of a long text as its reason', async () => {
    const answer = await answerOf(500, { 'content-type': 'text/plain' }, Buffer.from('x'.repeat(60_000)));
    const { message } = classifyResponse(answer, NOW) as { message: string };
    expect(message).toBe(`the handler answered 500: ${'x'.repeat(2_000)}`);
  });

  it.each([
    'application/x-ndjson',
    'application/ndjson',
    'text/csv',
    'application/xml',
    'application/json-seq',
  ])('of the type %s is no result, and it is said why', async (type) => {
    const answer = await answerOf(200, { 'content-type': type }, Buffer.from('{"a":1}\n{"a":2}\n'));
    expect(classifyResponse(answer, NOW)).toMatchObject({
      kind: 'completed',
      result: null,
      dropped: `has the Content-Type "${type}"; of JSON alone a result is kept`,
    });
  });

  it.each([
    ['\ufeff{"a":1.10}', 'application/json', 'utf8', '{"a":1.10}'],
    ['{"a":"é"}', 'text/json; charset=ISO-8859-1', 'latin1', '{"a":"é"}'],
    ['{"a":"é"}', 'application/vnd.x+json', 'utf8', '{"a":"é"}'],
  ] as const)('%j as %s is kept as the result', async (body, type, encoding, result) => {
    const answer = await answerOf(200, { 'content-type': type }, Buffer.from(body, encoding));
    expect(classifyResponse(answer, NOW)).toMatchObject({ kind: 'completed', result, dropped: null });
  });

  it.each([
    ['{"a":1}', 'text/plain;charset=UTF-8', 'with the Content-Type "text/plain;charset=UTF-8"'],
    [' \n[1,2]', 'application/octet-stream', 'with the Content-Type "application/octet-stream"'],
    ['\ufeff{"a":"é"}', '', 'without a Content-Type'],
  ])('%j as %j is no result, and it is said that the type is missing', async (body, type, named) => {
    const headers = type === '' ? {} : { 'content-type': type };
    expect(
      classifyResponse(await answerOf(200, headers as Record<string, string>, Buffer.from(body)), NOW),
    ).toMatchObject({
      kind: 'completed',
      result: null,
      dropped: `is JSON ${named}; answer with application/json`,
    });
  });

  it.each([
    ['ok', 'text/plain'],
    ['42', 'text/plain'],
    ['"ok"', 'text/plain'],
    ['{ }', ''],
    ['[]', 'text/plain'],
    ['[2026-01-31] done', 'text/plain'],
    ['{% block %}', 'text/html'],
    ['{"a":', 'text/plain'],
    ['{"a":1}', 'text/plain; charset=x'],
  ])('%j as %s is no result, and nothing is to be said', async (body, type) => {
    const answer = await answerOf(200, { 'content-type': type }, Buffer.from(body));
    expect(classifyResponse(answer, NOW)).toMatchObject({ kind: 'completed', result: null, dropped: null });
  });

  it('that is too large to be read as a whole is taken for JSON by how it begins', async () => {
    const droppedOf = async (beginning: string): Promise<unknown> => {
      const body = Buffer.from(beginning + 'x'.repeat(70_000));
      const answer = classifyResponse(await answerOf(200, { 'content-type': 'text/html' }, body), NOW);
      return answer.kind === 'completed' ? answer.dropped : null;
    };
    const said = 'is JSON with the Content-Type "text/html"; answer with application/json';
    expect(await Promise.all(['{"a":"', ' [{', '["'].map(droppedOf))).toEqual([said, said, said]);
    expect(await Promise.all(['[2026] ', '{% ', 'a {"'].map(droppedOf))).toEqual([null, null, null]);
  });

  it('is decoded of several codings, in their order', async () => {
    const body = gzipSync(gzipSync('{"a":1}'));
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip, identity, GZIP' };
    expect(classifyResponse(await answerOf(200, headers, body), NOW)).toMatchObject({ result: '{"a":1}' });
  });
});

describe('an answer that a function passes on from fetch', () => {
  it.each(['gzip', 'br', 'deflate', 'zstd', 'gzip, br', 'identity'])(
    'is kept although its Content-Encoding is still %s',
    async (coding) => {
      for (const text of ['{"a":1}', '["x"]', '"text"', '1', '\ufeff{}']) {
        const headers = { 'content-type': 'application/json', 'content-encoding': coding };
        const answer = asFetched(await answerOf(200, headers, Buffer.from(text)));
        expect(classifyResponse(answer, NOW)).toMatchObject({
          result: text.replace('\ufeff', ''),
          dropped: null,
        });
      }
    },
  );

  it('is decoded where the function has encoded it, and refused where it is neither', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const encoded = asFetched(await answerOf(200, headers, gzipSync('{"a":1}')));
    expect(classifyResponse(encoded, NOW)).toMatchObject({ result: '{"a":1}' });
    const broken = asFetched(await answerOf(200, headers, Buffer.from('{"a":')));
    expect(classifyResponse(broken, NOW)).toMatchObject({
      result: null,
      dropped: 'is not readable in its Content-Encoding, "gzip"',
    });
  });
});
