import { actorForUser, runActorOf } from '../../../src/jobs/runs/model/run-actor.js';
import type { RunTrigger } from '../../../src/jobs/runs/model/run.js';

const WEBHOOK = { type: 'webhook', path: '/hooks/github', method: 'POST' } as const;

it.each<[string, RunTrigger]>([
  ['user:u1', { type: 'manual', user_id: 'u1' }],
  ['key:k1', { type: 'manual', key_id: 'k1' }],
  ['operator:o1', { type: 'manual', operator_id: 'o1' }],
  ['operator:admin.token', { type: 'manual', operator_id: null }],
  ['run:run_1', { type: 'manual', run_id: 'run_1' }],
  ['cron:2', { type: 'cron', position: 2, schedule: '* * * * *', timezone: 'UTC' }],
  ['hook:/hooks/github', WEBHOOK],
  ['data:public.orders', { type: 'data', table: 'public.orders', event: 'insert' }],
  ['event:e1', { type: 'event', event: { type: 'run.failed', id: 'e1' } }],
  ['user:u1', { ...WEBHOOK, repeated_by: 'user:u1' }],
])('the actor %s follows from the trigger', (actor, trigger) => {
  expect(runActorOf(trigger)).toBe(actor);
});

it('the name of a table is written so that a header can have it, and read back', () => {
  const table = 'public.Grüße %41\n🦊';
  const actor = runActorOf({ type: 'data', table, event: 'insert' });
  expect(actor).toMatch(/^[!-~]+$/);
  expect(decodeURIComponent(actor)).toBe(`data:${table}`);
});

it('a user of a project learns no id of others', () => {
  expect(actorForUser('user:u1', 'u1')).toBe('user:u1');
  expect(['user:u2', 'key:k1', 'operator:admin.token'].map((actor) => actorForUser(actor, 'u1'))).toEqual([
    'user',
    'key',
    'operator',
  ]);
});
