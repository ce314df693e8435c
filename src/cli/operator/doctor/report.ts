import { asTyped, CommandError, sanitizeForTerminal } from '../../../../servicectl/src/index.js';
import type { Colour, Terminal } from '../../../../servicectl/src/index.js';
import { wrapped } from '../../../../servicectl/src/table.js';
import { counted } from './finding.js';
import type { Finding, Verdict } from './finding.js';

/** A check that was made. */
export type MadeCheck = { readonly name: string } & Verdict;

/** What became of one check; one that was not made says why. */
export type Check = MadeCheck | { readonly name: string; readonly skipped: string };

type State = 'ok' | Finding['severity'];

const MARKS: Readonly<Record<State, { readonly mark: string; readonly colour: Colour }>> = {
  ok: { mark: '✓', colour: 'green' },
  warning: { mark: '!', colour: 'yellow' },
  problem: { mark: '✗', colour: 'red' },
};

/** Between the columns. */
const GAP = '  ';
const ARROW = '→ ';

/** Shows the checks in their order. @throws CommandError where there is a problem */
export function report(terminal: Terminal, checks: readonly Check[]): void {
  const made = checks.filter((check) => 'findings' in check);
  const findings = made.flatMap((check) => check.findings);
  const problems = findings.filter(({ severity }) => severity === 'problem').length;
  const warnings = findings.length - problems;
  const width = Math.max(...made.map(({ name }) => name.length));
  terminal.result(
    { ok: problems === 0, problems, warnings, checks: checks.map(jsonOf) },
    [
      ...made.flatMap((check) => linesOf(terminal, check, width)),
      ...skippedLines(terminal, checks),
      '',
      findings.length === 0
        ? 'Nothing is wrong.'
        : `${counted(problems, 'problem')}, ${counted(warnings, 'warning')}.`,
    ].join('\n'),
  );
  if (problems > 0) throw new CommandError(`the doctor found ${counted(problems, 'problem')}`);
}

function jsonOf(check: Check): Record<string, unknown> {
  const { name } = check;
  if ('skipped' in check) return { name, state: 'skipped', skipped: check.skipped, findings: [] };
  const { findings, summary } = check;
  const severities = findings.map(({ severity }) => severity);
  const state: State = severities.includes('problem') ? 'problem' : (severities[0] ?? 'ok');
  return { name, state, summary, findings };
}

function linesOf(terminal: Terminal, { name, findings, summary }: MadeCheck, width: number): string[] {
  const left = ' '.repeat(1 + GAP.length + width + GAP.length);
  const room = terminal.width - left.length;
  const entry = (state: State, lines: readonly string[]): string[] => {
    const { mark, colour } = MARKS[state];
    const first = `${terminal.paint(colour, mark)}${GAP}${name.padEnd(width)}${GAP}`;
    return lines.map((line, index) => `${index === 0 ? first : left}${line}`);
  };
  if (findings.length === 0) return entry('ok', wrapped(sanitizeForTerminal(summary), room));
  return findings.flatMap(({ severity, message, remedy }) =>
    entry(severity, [
      ...wrapped(sanitizeForTerminal(message), room),
      ...wrapped(sanitizeForTerminal(typable(remedy)), room - ARROW.length).map(
        (line, index) => `${index === 0 ? ARROW : ' '.repeat(ARROW.length)}${line}`,
      ),
    ]),
  );
}

/** With commands as the user types them, such as `npx servicectl migrate`. */
function typable(remedy: string): string {
  return remedy.replaceAll(/\bservicectl (?=[a-z])/g, asTyped(''));
}

/** The checks that were not made, under the reason that they share. */
function skippedLines(terminal: Terminal, checks: readonly Check[]): string[] {
  const byReason = new Map<string, string[]>();
  for (const check of checks)
    if ('skipped' in check) byReason.set(check.skipped, [...(byReason.get(check.skipped) ?? []), check.name]);
  const lines = [...byReason].flatMap(([reason, names]) =>
    wrapped(`Not checked, because ${reason}: ${names.join(', ')}`, terminal.width),
  );
  return lines.length === 0 ? [] : ['', ...lines];
}
