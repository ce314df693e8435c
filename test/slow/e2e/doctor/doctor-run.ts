import { runCli } from '../cli/run-cli.js';

interface Finding {
  readonly code: string;
  readonly severity: 'problem' | 'warning';
  readonly message: string;
  readonly remedy: string;
}

export interface DoctorRun {
  readonly code: number | null;
  readonly output: string;
  readonly findings: readonly Finding[];
}

/** Runs `servicectl doctor --json` with these variables. */
export async function doctor(variables: Readonly<Record<string, string>>): Promise<DoctorRun> {
  const { code, stdout, stderr } = await runCli(['doctor', '--json'], variables);
  const output = stdout + stderr;
  if (stdout === '') throw new Error(`the doctor found nothing out: ${output}`);
  const { checks } = JSON.parse(stdout) as { checks: { findings: Finding[] }[] };
  return { code, output, findings: checks.flatMap(({ findings }) => findings) };
}

/** A fault that a test plants: what it changes, what the doctor calls it, and what it advises. */
export interface Fault {
  readonly finds: string;
  readonly advises: RegExp;
  /** Changes the servers. @returns variables in place of those of the deployment */
  readonly plant: () => Promise<Variables> | Variables;
  readonly remove?: () => Promise<unknown>;
}

type Variables = Readonly<Record<string, string>>;

/** Plants a fault, asks the doctor, and removes the fault. @returns what the doctor found */
export async function diagnose(fault: Fault, variables: Variables): Promise<DoctorRun> {
  try {
    return await doctor({ ...variables, ...(await fault.plant()) });
  } finally {
    await fault.remove?.();
  }
}

/** The finding of the fault with its advice, and an exit code that goes with it. */
export function expectDiagnosis({ code, output, findings }: DoctorRun, { finds, advises }: Fault): void {
  expect(findings.map((finding) => finding.code)).toContain(finds);
  expect(findings.find((finding) => finding.code === finds)?.remedy).toMatch(advises);
  expect(code).toBe(findings.some(({ severity }) => severity === 'problem') ? 1 : 0);
  expect(output).not.toMatch(/^\s+at /m);
}
