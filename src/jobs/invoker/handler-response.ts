import { scanJson } from '../../http/index.js';
import { OutboundTimeoutError, parseHttpDate } from '../../platform/outbound/index.js';
import type { OutboundAnswer } from '../../platform/outbound/index.js';
import { charsetOf, decodeText, isDecoded, isJsonType } from '../../platform/text/index.js';
import type { DecodedText } from '../../platform/text/index.js';

/** What a call to a handler came to. */
export type Answer =
  | {
      readonly kind: 'completed';
      readonly statusCode: number;
      readonly result: string | null;
      /** Why JSON is not kept, in words that follow "it"; null when it is, or there was none. */
      readonly dropped: string | null;
    }
  | {
      readonly kind: 'failed';
      readonly statusCode: number | null;
      readonly code:
        | 'handler_error'
        | 'handler_fatal'
        | 'timeout'
        | 'handler_unreachable'
        | 'handler_not_found'
        | 'signing_secret_missing';
      readonly retryable: boolean;
      /** What the handler asked to be left alone for. */
      readonly retryAfterMs: number | null;
      readonly message: string;
    }
  /** The handler goes on and reports the end of the attempt later. */
  | { readonly kind: 'deferred'; readonly statusCode: number }
  /** We ended the call ourselves, before the handler answered. */
  | { readonly kind: 'aborted'; readonly statusCode: null; readonly message: string };

/** A larger JSON answer is not kept with the run, bytes. */
export const MAX_RESULT_BYTES = 64 * 1024;
/** Deeper, and the run could be stored but no longer shown: writing JSON recurses. */
const MAX_RESULT_DEPTH = 1000;
/** With this status and header the handler says that it goes on after its answer. */
const DEFERRED_STATUS = 202;
const DEFER_HEADER = 'service-defer';
/** The status that says "trying again is no use" (jobs document, section 2, handler contract). */
const FATAL_STATUS = 422;

function typeOf({ headers }: OutboundAnswer): string {
  return String(headers['content-type'] ?? '');
}

/** The text of an answer, or why there is none, in words that follow "it". */
function textOf(answer: OutboundAnswer): DecodedText {
  const { body, fault, headers } = answer;
  if (fault === 'undecodable') {
    const coding = JSON.stringify(headers['content-encoding']).slice(0, 40);
    return { problem: `is not readable in its Content-Encoding, ${coding}` };
  }
  if (fault === 'too_large') return { problem: TOO_LARGE };
  return decodeText(body, charsetOf(typeOf(answer)));
}

const TOO_LARGE = `is larger than ${MAX_RESULT_BYTES} bytes`;
const NOT_JSON = 'is not the JSON that its Content-Type says';

/** Why a JSON answer cannot be kept; null when it can. */
function problemOf(text: string): string | null {
  if (Buffer.byteLength(text) > MAX_RESULT_BYTES) return TOO_LARGE;
  const scan = scanJson(text, { maxDepth: MAX_RESULT_DEPTH });
  if (scan.fault === null) return null;
  return scan.fault === 'too_deep' && scanJson(text, { maxDepth: Infinity }).fault === null
    ? `is nested deeper than ${MAX_RESULT_DEPTH} levels`
    : NOT_JSON;
}

function shown(type: string): string {
  return JSON.stringify(type.slice(0, 80));
}

/** With something in it: of an empty one nothing is lost. */
const OBJECT_OR_LIST = /^\s*(?:\{\s*[^\s}]|\[\s*[^\s\]])/;
/** Where a text is too large to be read as a whole: the beginning of an object with members, or of a list of more than text. */
const LARGE_JSON = /^\s*(?:\{\s*"|\[\s*[{["])/;

/**
 * What is wrong with an answer that is JSON by its text alone, in words that follow "it"; null if it is none. The contract
 * keeps JSON types only, and whoever forgot the type learns it nowhere else. A handler may well answer "ok".
 */
function undeclaredJson(answer: OutboundAnswer): string | null {
  if (answer.fault === 'undecodable') return null;
  const decoded = decodeText(answer.body, charsetOf(typeOf(answer)));
  if (!isDecoded(decoded)) return null;
  const { text } = decoded;
  const isJson =
    answer.fault === 'too_large' || text.length > MAX_RESULT_BYTES
      ? LARGE_JSON.test(text)
      : OBJECT_OR_LIST.test(text) && scanJson(text, { maxDepth: MAX_RESULT_DEPTH }).fault === null;
  if (!isJson) return null;
  const type = typeOf(answer);
  const named = type === '' ? 'without a Content-Type' : `with the Content-Type ${shown(type)}`;
  return `is JSON ${named}; answer with application/json`;
}

/** What a program says by default with a bare "ok": of these types only JSON is missed. */
const OF_PEOPLE = /^\s*(?:$|;|text\/(?:plain|html)\s*(?:;|$))/i;

/** Why the answer is no result, in words that follow "it"; null where nobody misses one. */
function unkept(answer: OutboundAnswer): string | null {
  const undeclared = undeclaredJson(answer);
  const type = typeOf(answer);
  if (undeclared !== null || OF_PEOPLE.test(type)) return undeclared;
  return `has the Content-Type ${shown(type)}; of JSON alone a result is kept`;
}

function resultOf(answer: OutboundAnswer): { result: string | null; dropped: string | null } {
  const isEmpty = answer.fault === null && answer.body.length === 0;
  if (isEmpty) return { result: null, dropped: null };
  if (!isJsonType(typeOf(answer))) return { result: null, dropped: unkept(answer) };
  const decoded = textOf(answer);
  if (!isDecoded(decoded)) return { result: null, dropped: decoded.problem };
  const dropped = problemOf(decoded.text);
  return { result: dropped === null ? decoded.text : null, dropped };
}

/** Where a reason stands: in answers to Service, or in problem details (RFC 9457, section 3.1). */
const REASONS = ['error', 'detail', 'title'];
/** Of an answer that names no reason, more says nothing more; UTF-16 units. */
const MAX_QUOTED = 2_000;

/** The first of the members that is a text with something in it. @param text JSON */
function reasonIn(text: string): string | null {
  for (const wanted of REASONS) {
    const scan = scanJson(text, { maxDepth: Infinity, wanted });
    if (scan.fault !== null || scan.member === null || text[scan.member.start] !== '"') continue;
    const reason = JSON.parse(text.slice(scan.member.start, scan.member.end)) as string;
    if (reason.trim() !== '') return reason;
  }
  return null;
}

/** Text that people write for people; a page of a proxy is none. */
const PLAIN = /^\s*(?:$|;|text\/(?!html\b))/i;

/** The reason that a handler gives, or what it answers in place of one; else the status, and what keeps it from being read. */
function messageOf(answer: OutboundAnswer): string {
  const answered = `the handler answered ${answer.status}`;
  if (answer.fault === null && answer.body.length === 0) return answered;
  const type = typeOf(answer);
  const isJson = isJsonType(type);
  if (!isJson && !PLAIN.test(type)) {
    const problem =
      undeclaredJson(answer) ?? `has the Content-Type ${shown(type)}, of which no reason is kept`;
    return `${answered}, and its answer ${problem}`;
  }
  const decoded = textOf(answer);
  if (!isDecoded(decoded)) return `${answered}, and its answer ${decoded.problem}`;
  const text = decoded.text.trim();
  if (!isJson) return quoted(answered, text);
  if (scanJson(text, { maxDepth: Infinity }).fault !== null)
    return quoted(`${answered}, and its answer ${NOT_JSON}`, text);
  return reasonIn(text) ?? (NOTHING_SAID.test(text) ? answered : quoted(answered, text));
}

const NOTHING_SAID = /^(?:\{\s*\}|\[\s*\]|""|null)$/;

function quoted(said: string, text: string): string {
  return text === '' ? said : `${said}: ${text.slice(0, MAX_QUOTED)}`;
}

/**
 * The answer of a function that passes on what it fetched: `fetch` has undone the content coding, and left the header of
 * it. JSON is in no coding, so that it is what it says.
 */
export function asFetched(answer: OutboundAnswer): OutboundAnswer {
  const { headers, received, fault } = answer;
  if (headers['content-encoding'] === undefined || fault === 'too_large') return answer;
  const text = decodeText(received, charsetOf(typeOf(answer)));
  const isPlain = isDecoded(text) && scanJson(text.text, { maxDepth: Infinity }).fault === null;
  return isPlain ? { ...answer, body: received, fault: null } : answer;
}

/**
 * Judges a handler's answer: 2xx completes, but 202 with `Service-Defer: true` defers; 422 fails for good, all else may be
 * tried again.
 * @param retried the statuses that may be tried again, where the job names them
 * @param mayDefer whether the handler can report the end later
 */
export function classifyResponse(
  answer: OutboundAnswer,
  now: Date,
  { retried, mayDefer = true }: { retried?: readonly number[] | undefined; mayDefer?: boolean } = {},
): Answer {
  const { status } = answer;
  if (mayDefer && status === DEFERRED_STATUS && isTrue(answer.headers[DEFER_HEADER]))
    return { kind: 'deferred', statusCode: status };
  if (status >= 200 && status < 300) {
    return { kind: 'completed', statusCode: status, ...resultOf(answer) };
  }
  const retryable = retried?.includes(status) ?? status !== FATAL_STATUS;
  return {
    kind: 'failed',
    statusCode: status,
    code: status === FATAL_STATUS && !retryable ? 'handler_fatal' : 'handler_error',
    retryable,
    retryAfterMs: retryAfterMs(answer.headers['retry-after'], now),
    message: messageOf(answer),
  };
}

/** Node joins the values of a header that was sent more than once. */
function isTrue(header: string | string[] | undefined): boolean {
  return [header ?? []]
    .flat()
    .join()
    .split(',')
    .every((value) => value.trim().toLowerCase() === 'true');
}

/** Judges a call that got no answer. */
export function classifyFailure(error: unknown): Answer {
  const isTimeout = error instanceof OutboundTimeoutError;
  return {
    kind: 'failed',
    statusCode: null,
    code: isTimeout ? 'timeout' : 'handler_unreachable',
    retryable: true,
    retryAfterMs: null,
    message: error instanceof Error ? error.message : 'the handler could not be called',
  };
}

const SECONDS = /^\d+$/;

/**
 * `Retry-After` (RFC 9110, section 10.2.3) as milliseconds from `now`; null when absent, past or junk. Any number of seconds
 * counts: the job's backoff has a maximum.
 */
export function retryAfterMs(header: string | string[] | undefined, now: Date): number | null {
  if (typeof header !== 'string') return null;
  const value = header.trim();
  if (SECONDS.test(value)) return Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER);
  const at = parseHttpDate(value, now);
  const wait = at === null ? 0 : at - now.getTime();
  return wait > 0 ? wait : null;
}
