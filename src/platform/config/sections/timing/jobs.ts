import { section } from '../../schema/setting.js';
import { hours, milliseconds, seconds } from './durations.js';

export const workers = section('Workers and the runs that they hold.', {
  heartbeat_ms: milliseconds(3_000, 'Time between two heartbeats of a worker.'),
  dead_after_ms: milliseconds(
    9_000,
    'Time without a heartbeat after which a worker counts as dead and others take its runs; the same on all instances.',
  ),
  stay_ms: milliseconds(
    100,
    'How long a slot stays with a tenant while every slot is in use, before the queue decides which tenant is next.',
  ),
  ahead_ms: milliseconds(
    50,
    'For about how long a run may be claimed before a slot is free for it. Only runs of short calls are claimed ahead.',
  ),
  check_ms: milliseconds(1_000, 'How often a worker without a free slot checks whether it still has none.'),
  hold_ms: milliseconds(
    20,
    'How long a worker without a free slot keeps a wake-up before other workers get it.',
  ),
  first_pass_ms: milliseconds(
    100,
    'How long the wake-up of a tenant that holds its share here waits before other workers get it.',
  ),
  longest_pass_ms: milliseconds(1_000, 'The same at most; it doubles each time.'),
});

export const runs = section('Runs from their acceptance to their end.', {
  group_wait_ms: milliseconds(
    20,
    'How long what is accepted, begins or ends waits at most for a statement of other tenants, to share the next one.',
  ),
  lock_limit_ms: milliseconds(
    1_000,
    'How long a statement of several tenants waits for one of them, before each gets a statement of its own.',
  ),
  sweep_ms: milliseconds(
    4_000,
    'Time between two looks for runs whose worker died or whose wake-up was lost.',
  ),
  overdue_ms: milliseconds(
    3_000,
    'How long a due run may wait before its wake-up counts as lost and is sent again.',
  ),
  retry_ms: milliseconds(
    500,
    'Pause between two tries to read or write for an attempt while PostgreSQL is away.',
  ),
  retention_ms: milliseconds(3_600_000, 'Time between two deletions of runs past their retention.'),
  endpoints_ms: milliseconds(
    3_600_000,
    'Time between two looks for endpoints that only fail, which are paused.',
  ),
  search_limit_ms: milliseconds(5_000, 'How long one statement of a search for runs may take.'),
  queue_state_ms: milliseconds(
    500,
    'How long a state of the queue that was read is given to further callers.',
  ),
  stats_pending_secs: seconds(2, 'Age at which the figures of a run are added to those of its minute.'),
  stats_patience_ms: milliseconds(
    50,
    "How long that waits for transactions under way; after it, the scheduler's next tick tries again.",
  ),
});

export const functions = section('Processes of functions.', {
  load_limit_ms: milliseconds(10_000, 'A function that takes longer to load counts as broken.'),
  idle_ms: milliseconds(20_000, 'How long an idle function keeps its process.'),
  hang_ms: milliseconds(
    2_000,
    "A turn of a function's event loop that lasts longer, after the caller has given up, counts as a hang.",
  ),
  drain_linger_ms: milliseconds(
    1_000,
    'How long a replaced function serves callers that got its address just before.',
  ),
  last_words_ms: milliseconds(1_000, 'How long the output of a process that has ended is read.'),
  last_answers_ms: milliseconds(1_000, 'How long the answers to the callers of a dead function may take.'),
  syntax_check_ms: milliseconds(5_000, 'How long the search for the place of a syntax error may take.'),
  term_grace_ms: milliseconds(2_000, 'Time between SIGTERM and SIGKILL for a process.'),
  stop_ms: milliseconds(
    8_000,
    'How long a stop waits for a process that the system does not let the program end.',
  ),
});

export const logs = section('Logs of handlers.', {
  flush_ms: milliseconds(100, 'How long lines are gathered before one statement stores them.'),
  flush_retry_ms: milliseconds(1_000, 'Pause before lines that could not be stored are tried again.'),
  poll_ms: milliseconds(400, 'Time between two looks for new lines while somebody follows them.'),
  patience_ms: milliseconds(500, 'How long such a look waits for lines that are not committed yet.'),
  unread_ms: milliseconds(30_000, 'How long a follower may have unread data before it is disconnected.'),
  heartbeat_ms: milliseconds(15_000, 'Time between two heartbeats in a stream without lines.'),
  last_lines_ms: milliseconds(1_000, 'How long after the end of a run its last lines may still arrive.'),
});

export const operations = section('Operations on runs.', {
  interval_ms: milliseconds(1_000, 'Time between two steps where an operation may be unfinished.'),
  quota_pause_ms: milliseconds(5_000, 'How long an operation waits when its tenant has reached a quota.'),
  error_pause_ms: milliseconds(10_000, 'How long an operation waits after an unexpected error.'),
  expire_hours: hours(24, 'How long an operation waits for quotas before the rest of its runs fail.'),
});

export const captures = section('Triggers of data events in the database.', {
  repair_ms: milliseconds(60_000, 'Time between two comparisons of the triggers with the jobs.'),
  create_limit_ms: milliseconds(3_000, 'How long the creation of a trigger waits for its table.'),
  drop_limit_ms: milliseconds(500, 'How long the removal of a trigger waits for its table.'),
});

export const hooks = section('Inbound webhooks.', {
  prune_ms: milliseconds(600_000, 'Time between two deletions of deliveries that are no longer remembered.'),
  refusal_precision_ms: milliseconds(
    1_000,
    'How old the noted refusal of a call is at least before the next one of the same hook is noted.',
  ),
});

export const scheduler = section('The scheduler; jobs.scheduler_interval_ms says how often it looks.', {
  grace_ms: milliseconds(
    2_000,
    'How late a tick may be, besides three intervals, before the scheduler counts as stopped.',
  ),
  postponed_secs: seconds(10, "How long a schedule waits whose tenant's quota refused its run."),
});
