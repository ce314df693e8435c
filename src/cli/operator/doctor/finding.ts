import type { FindingCode } from './finding-codes.js';

/** Something that the operator should know: a problem is to be mended, a warning may be meant. */
export interface Finding {
  /** For programs. */
  readonly code: FindingCode;
  readonly severity: 'problem' | 'warning';
  readonly message: string;
  /** What to do about it. */
  readonly remedy: string;
}

/** What a check found, and in a few words what it looked at. */
export interface Verdict {
  readonly findings: readonly Finding[];
  readonly summary: string;
}

export function problem(code: FindingCode, message: string, remedy: string): Finding {
  return { code, severity: 'problem', message, remedy };
}

export function warning(code: FindingCode, message: string, remedy: string): Finding {
  return { code, severity: 'warning', message, remedy };
}

/** The findings without those that do not apply. */
export function those(...candidates: readonly (Finding | false)[]): Finding[] {
  return candidates.filter((candidate) => candidate !== false);
}

/** A message of the program that says what is wrong and then, after a semicolon, what to do. */
export function fromStartup(code: FindingCode, message: string): Finding {
  const at = message.indexOf('; ');
  if (at < 0) return problem(code, message, 'Correct the setting, or the server that it names');
  const remedy = message.slice(at + 2);
  return problem(code, message.slice(0, at), remedy.charAt(0).toUpperCase() + remedy.slice(1));
}

/** `1 run`, `2 runs` */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A duration for people: `45 s`, `12 min`, `3 h`, `2 days`. */
export function duration(secs: number): string {
  if (secs < 120) return `${Math.round(secs)} s`;
  if (secs < 7_200) return `${Math.round(secs / 60)} min`;
  if (secs < 172_800) return `${Math.round(secs / 3_600)} h`;
  return `${Math.round(secs / 86_400)} days`;
}
