import { violationsOf } from './history-checker.js';
import type { AttemptFact, CallFact, History, ProcessFact, RunFact, StatusChange } from './history.js';

const INSTANT = { jobId: 'scheduled', position: 0, at: '2026-03-29T00:31:00.000Z' };

function run(id: string, own: Partial<RunFact> = {}): RunFact {
  return {
    id,
    tenantId: 'tenant',
    jobId: 'job',
    status: 'completed',
    triggerType: 'manual',
    instant: null,
    hasStarted: true,
    attempt: 1,
    failures: 0,
    losses: 0,
    maxAttempts: 1,
    resultMark: `${id}/1`,
    errorCode: null,
    ...own,
  };
}

function attempt(runId: string, number: number, own: Partial<AttemptFact> = {}): AttemptFact {
  return { runId, number, outcome: 'completed', completedAt: 200, ...own };
}

function call(runId: string, number: number, own: Partial<CallFact> = {}): CallFact {
  const times = { startedAt: 100, endedAt: 199, status: 200 };
  return {
    runId,
    attempt: number,
    tenantId: 'tenant',
    process: 'worker-1',
    mark: `${runId}/${number}`,
    ...times,
    ...own,
  };
}

function changes(runId: string, ...statuses: StatusChange['to'][]): StatusChange[] {
  return statuses.map((to, index) => ({ runId, from: statuses[index - 1] ?? null, to }));
}

function counted(name: string, own: Partial<ProcessFact> = {}): ProcessFact {
  return { name, ended: { completed: 0, failed: 0, cancelled: 0 }, durations: 0, queueDepth: 0, ...own };
}

/**
 * One run that was called once; one that was lost by a worker that stood still, whose call was answered long after
 * another had ended it; one that failed with its last retry; one that was cancelled in its call; one of a schedule.
 */
function whole(): History {
  return {
    cap: 2,
    accepted: ['plain', 'lost', 'failed', 'cancelled'].map((id) => ({ key: id, runIds: [id] })),
    refusals: [{ status: 503, code: 'unavailable', requestId: 'one' }],
    runs: [
      run('plain'),
      run('lost', { attempt: 2, losses: 1, resultMark: 'lost/2' }),
      run('failed', {
        status: 'failed',
        attempt: 2,
        failures: 2,
        maxAttempts: 2,
        resultMark: null,
        errorCode: 'handler_error',
      }),
      run('cancelled', { status: 'cancelled', resultMark: null, errorCode: 'cancelled' }),
      run('cron', { jobId: 'scheduled', triggerType: 'cron', instant: INSTANT }),
    ],
    attempts: [
      attempt('plain', 1),
      attempt('lost', 1, { outcome: 'lost', completedAt: 300 }),
      attempt('lost', 2, { completedAt: 402 }),
      attempt('failed', 1, { outcome: 'failed' }),
      attempt('failed', 2, { outcome: 'failed', completedAt: 500 }),
      attempt('cancelled', 1, { outcome: 'cancelled', completedAt: 600 }),
      attempt('cron', 1, { completedAt: 700 }),
    ],
    changes: [
      ...changes('plain', 'queued', 'running', 'completed'),
      ...changes('lost', 'queued', 'running', 'retrying', 'running', 'completed'),
      ...changes('failed', 'queued', 'running', 'retrying', 'running', 'failed'),
      ...changes('cancelled', 'queued', 'running', 'cancelled'),
      ...changes('cron', 'queued', 'running', 'completed'),
    ],
    calls: [
      call('plain', 1),
      call('lost', 1, { process: 'stopped', endedAt: 900 }),
      call('lost', 2, { startedAt: 301, endedAt: 400 }),
      call('failed', 1, { startedAt: 200, endedAt: 201, status: 500 }),
      call('failed', 2, { startedAt: 401, endedAt: 499, status: 500 }),
      call('cancelled', 1, { startedAt: 501, endedAt: 605, status: null }),
      call('cron', 1, { startedAt: 600, endedAt: 699 }),
    ],
    cancels: [{ runId: 'cancelled', process: 'api-1', answer: 200 }],
    processes: [
      counted('worker-1', { ended: { completed: 3, failed: 1, cancelled: 0 }, durations: 4 }),
      counted('api-1', { ended: { completed: 0, failed: 0, cancelled: 1 }, durations: 1 }),
      counted('stopped'),
    ],
    instants: [INSTANT],
    inSlots: 0,
  };
}

function withRun(id: string, own: Partial<RunFact>): Partial<History> {
  return { runs: whole().runs.map((each) => (each.id === id ? { ...each, ...own } : each)) };
}

function withAttempt(runId: string, number: number, own: Partial<AttemptFact>): Partial<History> {
  const isIt = (each: AttemptFact): boolean => each.runId === runId && each.number === number;
  return { attempts: whole().attempts.map((each) => (isIt(each) ? { ...each, ...own } : each)) };
}

function withCall(runId: string, number: number, own: Partial<CallFact>): Partial<History> {
  const isIt = (each: CallFact): boolean => each.runId === runId && each.attempt === number;
  return { calls: whole().calls.map((each) => (isIt(each) ? { ...each, ...own } : each)) };
}

function withChanges(runId: string, ...statuses: StatusChange['to'][]): Partial<History> {
  const others = whole().changes.filter((change) => change.runId !== runId);
  return { changes: [...others, ...changes(runId, ...statuses)] };
}

function withProcess(own: ProcessFact): Partial<History> {
  return { processes: [...whole().processes.filter(({ name }) => name !== own.name), own] };
}

describe('the checker of histories', () => {
  it('finds nothing wrong where nothing is', () => {
    expect(violationsOf(whole())).toEqual([]);
  });

  it.each<[rule: string, title: string, change: Partial<History>]>([
    ['accepted = ended', 'a run that was accepted and is gone', { runs: whole().runs.slice(1) }],
    ['accepted = ended', 'a run that never ended', withRun('plain', { status: 'retrying' })],
    [
      'accepted = ended',
      'two runs for one key',
      { accepted: [...whole().accepted.slice(1), { key: 'plain', runIds: ['plain', 'lost'] }] },
    ],
    [
      'refused only for now',
      'an answer that says nothing of coming again',
      { refusals: [{ status: 500, code: 'internal_error', requestId: 'two' }] },
    ],
    [
      'no run that no one requested',
      'a run of a request that was answered with another',
      { runs: [...whole().runs, run('double')] },
    ],
    [
      'one final status each',
      'a second end',
      withChanges('plain', 'queued', 'running', 'failed', 'completed'),
    ],
    [
      'one final status each',
      'the same end twice',
      withChanges('plain', 'queued', 'running', 'completed', 'completed'),
    ],
    [
      'one final status each',
      'a run that went on after its end',
      withChanges('plain', 'queued', 'running', 'failed', 'running', 'completed'),
    ],
    ['one final status each', 'another status than the last', withChanges('plain', 'queued', 'running')],
    ['one final status each', 'a run that began in work', withChanges('plain', 'running', 'completed')],
    [
      'every attempt accounted for',
      'an attempt that is missing',
      { attempts: whole().attempts.filter(({ runId, number }) => runId !== 'lost' || number !== 1) },
    ],
    [
      'every attempt accounted for',
      'an attempt without an end in an ended run',
      withAttempt('failed', 1, { outcome: null, completedAt: null }),
    ],
    ['every attempt accounted for', 'a loss that was counted as a failure', withRun('lost', { failures: 1 })],
    ['every attempt accounted for', 'a loss that was not counted', withRun('lost', { losses: 0 })],
    [
      'every attempt accounted for',
      'an attempt after the successful one',
      withAttempt('lost', 1, { outcome: 'completed' }),
    ],
    [
      'every call is an attempt, one at a time',
      'one attempt that was called twice',
      { calls: [...whole().calls, call('plain', 1, { startedAt: 200, endedAt: 210 })] },
    ],
    [
      'every call is an attempt, one at a time',
      'a call that is no attempt',
      { calls: [...whole().calls, call('plain', 2, { startedAt: 200, endedAt: 210 })] },
    ],
    [
      'every call is an attempt, one at a time',
      'an attempt that was begun before the one before it was lost',
      withAttempt('lost', 1, { completedAt: 302 }),
    ],
    [
      'no result of a lost attempt kept',
      'the result of the attempt that was lost',
      withRun('lost', { resultMark: 'lost/1' }),
    ],
    ['no result of a lost attempt kept', 'a result that is missing', withRun('plain', { resultMark: null })],
    [
      'no result of a lost attempt kept',
      'a result of a run that failed',
      withRun('failed', { resultMark: 'failed/2' }),
    ],
    [
      'no result of a lost attempt kept',
      'an end by an attempt that was lost',
      withAttempt('plain', 1, { outcome: 'lost' }),
    ],
    ['the end is what the handler said', 'a success that was none', withCall('plain', 1, { status: 503 })],
    [
      'the end is what the handler said',
      'a failure with retries left',
      withRun('failed', { maxAttempts: 3 }),
    ],
    [
      'the end is what the handler said',
      'a fatal failure that the handler did not call one',
      withRun('failed', { errorCode: 'handler_fatal' }),
    ],
    [
      'the end is what the handler said',
      'a run that was given up before its fifth loss',
      withRun('failed', { errorCode: 'worker_lost' }),
    ],
    [
      'cap never exceeded',
      'three calls where two may be',
      { calls: [...whole().calls, call('other', 1, { startedAt: 150, endedAt: 160 })] },
    ],
    [
      'cron instants once',
      'an instant that did not fire',
      { instants: [INSTANT, { ...INSTANT, position: 1 }] },
    ],
    ['cron instants once', 'what is no instant', { instants: [] }],
    [
      'cron instants once',
      'an instant that fired twice',
      { runs: [...whole().runs, run('again', { triggerType: 'cron', instant: INSTANT })] },
    ],
    [
      'a confirmed cancellation holds',
      'a cancelled run that was completed',
      { cancels: [...whole().cancels, { runId: 'plain', process: 'api-1', answer: 200 }] },
    ],
    ['a confirmed cancellation holds', 'a cancellation that nobody wanted', { cancels: [] }],
    [
      'metrics equal their rows',
      'an end that was not counted',
      withProcess(counted('worker-1', { ended: { completed: 2, failed: 1, cancelled: 0 }, durations: 4 })),
    ],
    [
      'metrics equal their rows',
      'an end that was counted twice',
      withProcess(counted('worker-1', { ended: { completed: 4, failed: 1, cancelled: 0 }, durations: 4 })),
    ],
    [
      'metrics equal their rows',
      'an end that was counted where the run was lost',
      withProcess(counted('stopped', { ended: { completed: 1, failed: 0, cancelled: 0 }, durations: 1 })),
    ],
    [
      'metrics equal their rows',
      'a duration that is missing',
      withProcess(counted('worker-1', { ended: { completed: 3, failed: 1, cancelled: 0 }, durations: 3 })),
    ],
    [
      'metrics equal their rows',
      'a queue that is not empty',
      withProcess(counted('stopped', { queueDepth: 1 })),
    ],
    [
      'metrics equal their rows',
      'a count that cannot be read',
      withProcess(counted('stopped', { durations: NaN })),
    ],
    ['slots are left', 'capacity that is counted as taken', { inSlots: 1 }],
  ])('finds, by "%s": %s', (rule, _title, change) => {
    const found = violationsOf({ ...whole(), ...change });
    expect(found.map((violation) => violation.split(': ')[0])).toContain(rule);
  });

  it('does not count a call against the cap once its attempt was taken from its worker', () => {
    const stillOpen = call('late', 1, { startedAt: 299, endedAt: 900, process: 'stopped' });
    const known = { ...whole(), cap: 3, calls: [...whole().calls, stillOpen] };
    const taken = [...known.attempts, attempt('late', 1, { outcome: 'lost', completedAt: 300 })];
    const isCap = (violation: string): boolean => violation.startsWith('cap');
    expect(violationsOf({ ...known, cap: 2, attempts: taken }).filter(isCap)).toEqual([]);
    expect(violationsOf({ ...known, cap: 1, attempts: taken }).filter(isCap)).toHaveLength(1);
  });

  it('leaves open which process counted a run whose end no answer tells of', () => {
    const unanswered = { cancels: [{ runId: 'cancelled', process: 'api-1', answer: null }] };
    const notCounted = withProcess(counted('api-1'));
    expect(violationsOf({ ...whole(), ...unanswered })).toEqual([]);
    expect(violationsOf({ ...whole(), ...unanswered, ...notCounted })).toEqual([]);
    expect(violationsOf({ ...whole(), ...notCounted })).not.toEqual([]);
  });
});
