import type { RunTrigger } from './run.js';

/**
 * Who set a run going, as its handler, its token and the API name it: `user:<id>`, `key:<id>`, `operator:<id>`,
 * `run:<id>`, `cron:<position>`, `hook:<path>`, `data:<table>`, `event:<id>`; of a repetition, who asked for it. In
 * visible ASCII, since it is in a header: other characters, and `%`, are percent-encoded (RFC 3986, section 2.1).
 */
export function runActorOf(trigger: RunTrigger): string {
  return trigger.repeated_by ?? firstActorOf(trigger);
}

/**
 * The actor for a user who sees only their own runs. One may be repeated by an operator or a key of the tenant, of whom the
 * user learns no more than that: `operator`, `key`.
 */
export function actorForUser(actor: string, userId: string): string {
  return actor === `user:${userId}` ? actor : actor.replace(/:.*/, '');
}

function firstActorOf(trigger: RunTrigger): string {
  switch (trigger.type) {
    case 'cron':
      return `cron:${trigger.position}`;
    case 'webhook':
      return `hook:${trigger.path}`;
    case 'data':
      return `data:${trigger.table.replaceAll(/[^!-$&-~]/gu, encodeURIComponent)}`;
    case 'event':
      return `event:${trigger.event.id}`;
    case 'manual':
      if ('run_id' in trigger) return `run:${trigger.run_id}`;
      if ('user_id' in trigger) return `user:${trigger.user_id}`;
      if ('key_id' in trigger) return `key:${trigger.key_id}`;
      return `operator:${trigger.operator_id ?? 'admin.token'}`;
  }
}
