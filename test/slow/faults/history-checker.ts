import { FINAL_STATUSES, TRANSITIONS, isFinal } from '../../../src/jobs/runs/model/run-status.js';
import type { AttemptFact, CallFact, FinalStatus, History, ProcessFact, RunFact } from './history.js';

type Rule = (history: History) => string[];

/** What must hold whatever dies, by the name under which a violation is told. */
const RULES: Readonly<Record<string, Rule>> = {
  'accepted = ended': acceptedRunsEnd,
  'refused only for now': refusedOnlyForNow,
  'no run that no one requested': noOtherRuns,
  'one final status each': oneFinalStatus,
  'every attempt accounted for': attemptsAreWhole,
  'every call is an attempt, one at a time': callsAreAttempts,
  'no result of a lost attempt kept': resultIsOfTheLastAttempt,
  'the end is what the handler said': endIsTheHandlers,
  'cap never exceeded': capIsKept,
  'cron instants once': instantsOnce,
  'a confirmed cancellation holds': cancellationsHold,
  'metrics equal their rows': metricsEqualRows,
  'slots are left': roomsAreLeft,
};

/** What of the history must not be, one line for each violation; empty when all is well. */
export function violationsOf(history: History): string[] {
  return Object.entries(RULES).flatMap(([name, rule]) =>
    rule(history).map((violation) => `${name}: ${violation}`),
  );
}

function acceptedRunsEnd({ accepted, runs }: History): string[] {
  const byId = new Map(runs.map((run) => [run.id, run]));
  return accepted.flatMap(({ key, runIds }) => {
    const [id = ''] = runIds;
    if (new Set(runIds).size !== 1) return [`key ${key} was answered with ${runIds.join(' and ')}`];
    const run = byId.get(id);
    if (run === undefined) return [`${id} was accepted and is gone`];
    return isFinal(run.status) ? [] : [`${id} was accepted and is ${run.status}`];
  });
}

function refusedOnlyForNow({ refusals }: History): string[] {
  return refusals
    .filter(({ status }) => status !== 503)
    .map(({ status, code, requestId }) => `${status} ${code} to request ${requestId}`);
}

function noOtherRuns({ accepted, runs }: History): string[] {
  const answered = new Set(accepted.flatMap(({ runIds }) => runIds));
  return runs
    .filter((run) => run.triggerType === 'manual' && !answered.has(run.id))
    .map((run) => `${run.id} of ${run.jobId} was named in no answer`);
}

function oneFinalStatus({ runs, changes }: History): string[] {
  const known = new Set(TRANSITIONS.map(({ from, to }) => `${from} -> ${to}`));
  const byRun = grouped(changes, ({ runId }) => runId);
  return runs.flatMap(({ id, status }) => {
    const path = [null, ...(byRun.get(id) ?? []).map((change) => change.to)];
    const way = path.slice(1).join(' -> ');
    const steps = path.slice(1).map((to, index) => ({ from: path[index] ?? null, to }));
    const isDrawn = steps.every(({ from, to }) =>
      from === null ? to === 'queued' : known.has(`${from} -> ${to ?? ''}`),
    );
    const isChained = (byRun.get(id) ?? []).every((change, index) => change.from === path[index]);
    if (!isDrawn || !isChained) return [`${id} went ${way}`];
    if (path.at(-1) !== status) return [`${id} went ${way}, and is ${status}`];
    return [];
  });
}

function attemptsAreWhole({ runs, attempts }: History): string[] {
  const byRun = grouped(attempts, ({ runId }) => runId);
  return runs.flatMap((run) => {
    const own = (byRun.get(run.id) ?? []).toSorted((one, other) => one.number - other.number);
    const outcomes = own.map(({ outcome }) => outcome);
    const told = `${run.id} (${run.status}) has attempts ${outcomes.join(', ') || 'none'}`;
    const isNumbered = own.length === run.attempt && own.every(({ number }, index) => number === index + 1);
    if (!isNumbered) return [`${told}, and attempt ${run.attempt}`];
    if (isFinal(run.status) && outcomes.includes(null)) return [`${told}, one of them without an end`];
    if (outcomes.slice(0, -1).includes('completed')) return [`${told}, and went on after its success`];
    if (count(outcomes, 'failed', 'timeout') !== run.failures)
      return [`${told}, and ${run.failures} failures`];
    if (count(outcomes, 'lost') !== run.losses) return [`${told}, and ${run.losses} losses`];
    return [];
  });
}

function callsAreAttempts({ calls, attempts }: History): string[] {
  const known = attemptsByKey(attempts);
  const violations: string[] = [];
  for (const [runId, own] of grouped(calls, ({ runId }) => runId)) {
    const numbers = own.map(({ attempt }) => attempt);
    const doubled = numbers.filter((number, index) => numbers.indexOf(number) !== index);
    for (const number of doubled) violations.push(`attempt ${number} of ${runId} was called twice`);
    for (const number of numbers.filter((each) => !known.has(keyOf(runId, each))))
      violations.push(`attempt ${number} of ${runId} was called and is no attempt`);
    const spans = own.map((call) => countedSpan(call, known)).filter(({ from, until }) => from < until);
    spans.sort((one, other) => one.from - other.from);
    if (spans.some(({ from }, index) => index > 0 && from < (spans[index - 1]?.until ?? 0)))
      violations.push(`${runId} was in two calls at once`);
  }
  return violations;
}

function resultIsOfTheLastAttempt({ runs, attempts, calls }: History): string[] {
  const known = attemptsByKey(attempts);
  const called = new Map(calls.map((call) => [keyOf(call.runId, call.attempt), call]));
  return runs.flatMap((run) => {
    const last = keyOf(run.id, run.attempt);
    const mark = run.status === 'completed' ? (called.get(last)?.mark ?? 'one that no call gave') : null;
    if (run.resultMark !== mark)
      return [`${run.id} (${run.status}) has the result ${run.resultMark ?? 'none'}, not ${mark ?? 'none'}`];
    const outcome = known.get(last)?.outcome ?? null;
    return run.status === 'completed' && outcome !== 'completed'
      ? [`${run.id} is completed by an attempt that is ${outcome ?? 'unknown'}`]
      : [];
  });
}

function endIsTheHandlers({ runs, calls }: History): string[] {
  const called = new Map(calls.map((call) => [keyOf(call.runId, call.attempt), call]));
  return runs.flatMap((run) => {
    const status = called.get(keyOf(run.id, run.attempt))?.status ?? null;
    const told = `${run.id} is ${run.status} (${run.errorCode ?? 'no error'}) after the answer ${status ?? 'none'}`;
    if (run.status === 'completed') return status === 200 ? [] : [told];
    if (run.status !== 'failed') return [];
    if (run.errorCode === 'handler_fatal') return status === 422 ? [] : [told];
    // Losses use up no retry, and no retry is left unused.
    if (run.errorCode === 'handler_error' && run.failures === run.maxAttempts) return [];
    return run.errorCode === 'worker_lost' && run.losses === 5
      ? []
      : [`${told}, ${run.failures} failures of ${run.maxAttempts} and ${run.losses} losses`];
  });
}

function capIsKept({ cap, calls, attempts }: History): string[] {
  const known = attemptsByKey(attempts);
  const violations: string[] = [];
  for (const [tenantId, own] of grouped(calls, ({ tenantId }) => tenantId)) {
    const spans = own.map((call) => countedSpan(call, known)).filter(({ from, until }) => from < until);
    // Where one ends when another begins, the end comes first.
    const steps = spans.flatMap(({ from, until }) => [
      { at: from, by: 1 },
      { at: until, by: -1 },
    ]);
    steps.sort((one, other) => one.at - other.at || one.by - other.by);
    let open = 0;
    let most = 0;
    for (const { by } of steps) {
      open += by;
      most = Math.max(most, open);
    }
    if (most > cap) violations.push(`${most} calls of ${tenantId} at once, where ${cap} may be`);
  }
  return violations;
}

function instantsOnce({ runs, instants }: History): string[] {
  const fired = runs.flatMap(({ instant }) => (instant === null ? [] : [JSON.stringify(instant)]));
  const wanted = new Set(instants.map((instant) => JSON.stringify(instant)));
  const found = new Set(fired);
  return [
    ...fired.filter((each, index) => fired.indexOf(each) !== index).map((each) => `${each} fired twice`),
    ...[...wanted].filter((each) => !found.has(each)).map((each) => `${each} did not fire`),
    ...[...found].filter((each) => !wanted.has(each)).map((each) => `${each} fired and is no instant`),
  ];
}

function cancellationsHold({ runs, cancels }: History): string[] {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const asked = new Set(cancels.map(({ runId }) => runId));
  return [
    ...cancels
      .filter(({ runId, answer }) => answer === 200 && byId.get(runId)?.status !== 'cancelled')
      .map(({ runId }) => `${runId} was cancelled and is ${byId.get(runId)?.status ?? 'gone'}`),
    ...runs
      .filter(({ id, status }) => status === 'cancelled' && !asked.has(id))
      .map(({ id }) => `${id} is cancelled, which nobody wanted`),
  ];
}

function metricsEqualRows(history: History): string[] {
  const ended = history.runs.filter((run) => isFinal(run.status));
  const endedBy = enders(history);
  return history.processes.flatMap((process) => [
    ...FINAL_STATUSES.flatMap((status) => {
      const own = ended.filter((run) => run.status === status);
      return outOfBounds(process, status, process.ended[status], own, endedBy);
    }),
    ...outOfBounds(
      process,
      'duration',
      process.durations,
      ended.filter((run) => run.hasStarted),
      endedBy,
    ),
    ...(process.queueDepth === 0 ? [] : [`${process.name} sees ${process.queueDepth} runs due`]),
  ]);
}

/** A run of which nobody knows where it ended may be counted by any process, or by one that was killed. */
function outOfBounds(
  { name }: ProcessFact,
  what: FinalStatus | 'duration',
  counted: number,
  runs: readonly RunFact[],
  endedBy: ReadonlyMap<string, string>,
): string[] {
  const least = runs.filter(({ id }) => endedBy.get(id) === name).length;
  const most = least + runs.filter(({ id }) => !endedBy.has(id)).length;
  if (counted >= least && counted <= most) return [];
  return [
    `${name} counted ${counted} × ${what}, where ${least === most ? '' : `${least} to `}${most} are its own`,
  ];
}

/** Which process brought each run to its end, as far as the callers and the called know. */
function enders({ runs, calls, cancels }: History): Map<string, string> {
  const called = new Map(calls.map((call) => [keyOf(call.runId, call.attempt), call.process]));
  const confirmed = cancels.filter(({ answer }) => answer === 200);
  const cancelled = new Map(confirmed.map(({ runId, process }) => [runId, process]));
  const found = new Map<string, string>();
  for (const { id, attempt, status, errorCode } of runs) {
    const process =
      status === 'cancelled'
        ? cancelled.get(id)
        : errorCode === 'worker_lost'
          ? undefined
          : called.get(keyOf(id, attempt));
    if (process !== undefined) found.set(id, process);
  }
  return found;
}

function roomsAreLeft({ inSlots }: History): string[] {
  return inSlots === 0 ? [] : [`${inSlots} runs are counted as being in work, and none is`];
}

/**
 * The time in which a call is in work: until it was answered or broken off, but no longer than the attempt, where that
 * was taken from its worker. Of an attempt that was lost the worker may not have heard for as long as it stood still.
 */
function countedSpan(
  call: CallFact,
  attempts: ReadonlyMap<string, AttemptFact>,
): { readonly from: number; readonly until: number } {
  const attempt = attempts.get(keyOf(call.runId, call.attempt));
  const isTaken = attempt?.outcome === 'lost' || attempt?.outcome === 'cancelled' || call.status === null;
  const until = isTaken ? Math.min(call.endedAt, attempt?.completedAt ?? Infinity) : call.endedAt;
  return { from: call.startedAt, until };
}

function keyOf(runId: string, attempt: number): string {
  return `${runId}/${attempt}`;
}

function attemptsByKey(attempts: readonly AttemptFact[]): Map<string, AttemptFact> {
  return new Map(attempts.map((attempt) => [keyOf(attempt.runId, attempt.number), attempt]));
}

function count<Item>(items: readonly Item[], ...wanted: readonly Item[]): number {
  return items.filter((item) => wanted.includes(item)).length;
}

function grouped<Item>(items: readonly Item[], keyOfItem: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOfItem(item));
    if (group === undefined) groups.set(keyOfItem(item), [item]);
    else group.push(item);
  }
  return groups;
}
