import { readFileSync, writeFileSync } from 'node:fs';
import { isFinal } from '../../../src/jobs/runs/model/run-status.js';
import type { History } from '../faults/history.js';
import { KINDS } from './account-rules.js';
import type { Operation } from './operations.js';

const DOCUMENT = new URL('../../../docs/drills.md', import.meta.url);

export interface DrillResult {
  readonly name: string;
  readonly does: string;
  readonly operations: readonly Operation[];
  readonly history: History;
  readonly violations: readonly string[];
  readonly lastedMs: number;
  readonly commit: string;
}

/** The table with which a drill ends. */
export function tableOf({ operations, history, violations, ...facts }: DrillResult): string {
  const { runs, accepted, calls, refusals } = history;
  const rows = KINDS.map((kind) => {
    const own = operations.filter((operation) => operation.kind === kind);
    const count = (status: number | null): number => own.filter((each) => each.status === status).length;
    return [kind, own.length, own.length - count(503) - count(null), count(503), count(null), told(kind)];
  });
  function told(rule: string): number {
    return violations.filter((violation) => violation.startsWith(`${rule}:`)).length;
  }
  const ofAccounts =
    rows.reduce((sum, row) => sum + Number(row[5]), 0) + told('one branch for each refresh token');
  return [
    `Under load, ${facts.does}.`,
    '',
    `${new Date().toISOString().slice(0, 10)}, commit ${facts.commit}, ${(facts.lastedMs / 1000).toFixed(0)} s of load.`,
    '',
    '| Requests | Made | Answered | To come again (503) | Without an answer | Lost or against the rules |',
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    `| trigger a run | ${accepted.length + refusals.length} | ${accepted.length} | ${refusals.length} | repeated | ${violations.length - ofAccounts} |`,
    '',
    `${runs.filter(({ status }) => isFinal(status)).length} of ${runs.length} runs ended, in ${calls.length} calls of handlers.`,
  ].join('\n');
}

/** Puts the table in the place of the drill's last one. */
export function writeTable(name: string, table: string): void {
  const text = readFileSync(DOCUMENT, 'utf8');
  const [begin, end] = [`<!-- drill ${name} -->`, '<!-- end -->'];
  const from = text.indexOf(begin);
  const until = text.indexOf(end, from);
  if (from < 0 || until < 0) throw new Error(`docs/drills.md has no place for ${name}`);
  writeFileSync(DOCUMENT, `${text.slice(0, from)}${begin}\n\n${table}\n\n${text.slice(until)}`);
}
