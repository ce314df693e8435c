import type { Caller } from '../../../http/index.js';
import { runActorOf } from '../model/run-actor.js';
import type { RunTrigger } from '../model/run.js';

/** The trigger of a run that the caller sets going on demand. */
export function manualTriggerOf(caller: Caller): RunTrigger {
  if (caller.type === 'user') return { type: 'manual', user_id: caller.userId };
  if (caller.type === 'run') {
    const { runId, userId } = caller;
    return { type: 'manual', run_id: runId, ...(userId === null ? {} : { user_id: userId }) };
  }
  return caller.type === 'operator'
    ? { type: 'manual', operator_id: caller.account?.userId ?? null }
    : { type: 'manual', key_id: caller.keyId };
}

/** The caller as the actor of the runs that they set going. */
export function callingActor(caller: Caller): string {
  return runActorOf(manualTriggerOf(caller));
}
