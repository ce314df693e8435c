import type { Run, RunDetails, RunStatus } from '../shapes.js';

/**
 * The payload and result of a job. The client does not check them: they are what the program declares about its jobs.
 */
export interface JobType {
  /** The JSON object that the handler receives. If omitted, the job takes any object or none. */
  readonly payload?: object | undefined;
  /** The JSON that the handler returns when a run completes. */
  readonly result?: unknown;
}

/** The jobs of a program by id; an interface or a type. */
export type JobTypes<Types> = { readonly [Id in keyof Types]: JobType };

/** Jobs of any id: for a client without types. */
export type AnyJobs = Record<string, JobType>;

export type JobId<Types> = keyof Types & string;

export type PayloadOf<Type> = 'payload' extends keyof Type ? Type['payload'] : object | undefined;
type ResultOf<Type> = 'result' extends keyof Type ? Type['result'] : unknown;

/** The arguments after a job's id in a trigger: a payload, required or optional according to its type. */
export type TriggerArguments<Type, Options> =
  undefined extends PayloadOf<Type>
    ? [payload?: PayloadOf<Type>, options?: Options]
    : [payload: PayloadOf<Type>, options?: Options];

/** The payload of an item of a batch, required or optional according to its type. */
export type BatchItemPayload<Payload> = undefined extends Payload
  ? { readonly payload?: Payload }
  : { readonly payload: Payload };

declare const RESULT: unique symbol;

/** The id of a run. It carries the type of the run's result to `runs.get` and `runs.wait`, which accept any string. */
export type RunId<Result> = string & { readonly [RESULT]?: Result };

/** A run of a job whose type is known. */
export type TriggeredRun<Type> = Run & { readonly id: RunId<ResultOf<Type>> };

/** A run with its result, which only a completed run has. */
export type RunWithResult<Result> = Omit<RunDetails, 'status' | 'result'> &
  ({ status: 'completed'; result: Result } | { status: Exclude<RunStatus, 'completed'>; result: null });
