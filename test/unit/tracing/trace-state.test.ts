import { parseTraceState } from '../../../src/platform/tracing/trace-state.js';
import { keptTrace, traceHeadersOf } from '../../../src/platform/tracing/trace-headers.js';

const TRACE_PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('a tracestate', () => {
  it.each([
    ['rojo=00f067aa0ba902b7', 'rojo=00f067aa0ba902b7'],
    ['rojo=1 , congo=2,\t, 3x=a b', 'rojo=1,congo=2,3x=a b'],
    ['fw529a3039@dt=FfAcD;x:y', 'fw529a3039@dt=FfAcD;x:y'],
    ['a_-*/=!"#~', 'a_-*/=!"#~'],
    [`k=${'v'.repeat(256)}`, `k=${'v'.repeat(256)}`],
  ])('%j is passed on as %j', (header, passed) => {
    expect(parseTraceState(header)).toBe(passed);
  });

  it.each([
    '',
    ' , ',
    'rojo',
    'rojo=',
    '=1',
    'Rojo=1',
    'rojo=1,rojo=2',
    'rojo=a=b',
    'rojo=\u00e9',
    'ro jo=1',
    `k=${'v'.repeat(257)}`,
    Array.from({ length: 33 }, (_, nth) => `k${nth}=1`).join(','),
  ])('%j is none', (header) => {
    expect(parseTraceState(header)).toBeNull();
  });

  it('over 512 characters loses whole members: the large ones first, then those at its end', () => {
    const [small, large] = ['s'.repeat(98), 'l'.repeat(200)];
    const of = (...members: string[]): string => members.map((value, nth) => `${nth}=${value}`).join(',');
    expect(parseTraceState(of(large, small, small, small))).toBe(of(large, small, small, small));
    expect(parseTraceState(of(small, large, small, large, small))).toBe(
      `0=${small},1=${large},2=${small},4=${small}`,
    );
    expect(parseTraceState(of(...Array.from({ length: 7 }, () => small)))).toBe(
      of(...Array.from({ length: 5 }, () => small)),
    );
  });

  it('is kept beside its traceparent, and never without', () => {
    const kept = keptTrace({ traceparent: TRACE_PARENT, tracestate: 'a=1, b=2' }) ?? '';
    expect(traceHeadersOf(kept)).toEqual({ traceparent: TRACE_PARENT, tracestate: 'a=1,b=2' });
    expect(traceHeadersOf(keptTrace({ traceparent: TRACE_PARENT, tracestate: 'A' }) ?? '')).toEqual({
      traceparent: TRACE_PARENT,
    });
    expect(keptTrace({ tracestate: 'a=1' })).toBeNull();
  });
});
