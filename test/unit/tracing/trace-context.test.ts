import { RequestTrace } from '../../../src/platform/tracing/request-trace.js';
import {
  formatTraceParent,
  parseTraceParent,
  spanIdOf,
  traceIdOf,
} from '../../../src/platform/tracing/trace-context.js';
import { Tracing } from '../../../src/platform/tracing/tracing.js';
import { loadConfig } from '../../../src/platform/config/index.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

function tracing(sampleRatio: number): Promise<Tracing> {
  const telemetry = { otlpUrl: null, otlpHeaders: null, serviceName: 'service', sampleRatio };
  return Tracing.start({ telemetry, timing: loadConfig({ env: {}, cwd: '/' }).timing }, '0');
}

describe('the context of a trace', () => {
  it.each([
    [`00-${TRACE}-${SPAN}-01`, true],
    [`00-${TRACE}-${SPAN}-00`, false],
    [`00-${TRACE}-${SPAN}-03`, true],
  ])('is read from %s', (header, isSampled) => {
    expect(parseTraceParent(header)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled });
  });

  it.each([
    '',
    'junk',
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
  ])('is not read from %j', (header) => {
    expect(parseTraceParent(header)).toBeNull();
  });

  it('has ids that follow from a run, of the length that the standard asks for', () => {
    const context = { traceId: traceIdOf('run_1'), spanId: spanIdOf('run_1', 1), isSampled: true };
    expect(parseTraceParent(formatTraceParent(context))).toEqual(context);
    expect(spanIdOf('run_1', 2)).not.toBe(context.spanId);
    expect(traceIdOf('run_1')).toBe(context.traceId);
  });

  it('is recorded as often as the ratio says, the same on every instance', async () => {
    const [tenth, all] = await Promise.all([tracing(0.1), tracing(1)]);
    const ids = Array.from({ length: 5000 }, (_, nth) => `run_${nth}`);
    const recorded = ids.filter((id) => tenth.traceOf(id).isSampled);
    expect(recorded.length).toBeGreaterThan(400);
    expect(recorded.length).toBeLessThan(600);
    expect(ids.filter((id) => tenth.traceOf(id).isSampled)).toEqual(recorded);
    expect(ids.every((id) => all.traceOf(id).isSampled)).toBe(true);
  });

  it('of a request follows its cause, unless the caller has said another', async () => {
    const cause = { traceId: traceIdOf('run_1'), spanId: spanIdOf('run_1', 1), isSampled: true };
    const of = await tracing(1);
    const own = RequestTrace.begin(of, null);
    const { spanId } = own.context;
    own.follow(cause);
    expect(own.context).toEqual({ ...cause, spanId });
    expect(own.parentSpanId).toBe(cause.spanId);
    const callers = RequestTrace.begin(of, `00-${TRACE}-${SPAN}-00`);
    callers.follow(cause);
    expect([callers.context.traceId, callers.parentSpanId, callers.context.isSampled]).toEqual([
      TRACE,
      SPAN,
      false,
    ]);
  });
});

describe('the traceparent of another version', () => {
  const [trace, span] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];

  it.each([
    [`01-${trace}-${span}-01`, true],
    [`01-${trace}-${span}-01-what-comes-later`, true],
    [`fe-${trace}-${span}-00-`, false],
    [`cc-${trace}-${span}-03`, true],
    [`10-${trace}-${span}-02-x`, false],
  ])('%s is continued', (header, isSampled) => {
    expect(parseTraceParent(header)).toEqual({ traceId: trace, spanId: span, isSampled });
  });

  it.each([
    `ff-${trace}-${span}-01`,
    `00-${trace}-${span}-01-more`,
    `01-${trace}-${span}-01.more`,
    `01-${trace}-${span}-0`,
    `01-${'0'.repeat(32)}-${span}-01`,
    `01-${trace}-${'0'.repeat(16)}-01`,
    `01-${trace.toUpperCase()}-${span}-01`,
    `0A-${trace}-${span}-01`,
    `00-${trace}-${span}-01 `,
  ])('%s begins another trace', (header) => {
    expect(parseTraceParent(header)).toBeNull();
  });
});
