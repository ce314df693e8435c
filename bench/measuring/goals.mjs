const FLOOD = { table: 'jobs-flood' };
const SYNCED = 'BullMQ, each write synced';

/**
 * The goals of the product for its speed: a figure of `of` (Service, if not given) divided by that of `against`, or
 * the figure alone.
 */
const GOALS = [
  ...[
    [SYNCED, 1],
    ['pg-boss', 1.5],
    ['graphile-worker', 1.5],
  ].map(([against, least]) => ({ ...FLOOD, figure: 'ended_per_second', against, least })),
  { ...FLOOD, figure: 'ended_per_second', of: 'Service, 8 organizations', against: 'Service', least: 1 },
  { ...FLOOD, figure: 'accepted_per_second', against: SYNCED, least: 1 },
  ...['jobs-trickle-20', 'jobs-trickle-50'].flatMap((table) => [
    { table, figure: 'start_p50_ms', against: SYNCED, most: 1 },
    { table, figure: 'start_p99_ms', against: SYNCED, most: 1 },
    { table, figure: 'start_p50_ms', against: 'bare pg, batched', most: 1.15 },
  ]),
  { ...FLOOD, figure: 'processor_ms', against: 'BullMQ', most: 1.2 },
  { table: 'requests', figure: 'per_second', against: 'Fastify with @fastify/jwt', least: 1 },
  { table: 'requests', figure: 'per_second', against: 'Nest on Fastify, no authentication', least: 0.5 },
  { table: 'identity-refresh', figure: 'per_second', against: 'better-auth', least: 1.5 },
  { table: 'identity-refresh', figure: 'per_second', against: 'RS256 signatures alone', least: 0.25 },
  { table: 'identity-sign-in', figure: 'per_second', against: 'Argon2id alone', least: 0.98 },
  { table: 'identity-others', figure: 'p99_ms', most: 50 },
  {
    table: 'jobs-backlog',
    figure: 'claimed_per_second',
    of: 'Service, 100000 waiting',
    against: 'Service',
    least: 0.9,
  },
  {
    table: 'jobs-limits',
    figure: 'ended_per_second',
    of: 'Service, all limits',
    against: 'Service',
    least: 0.9,
  },
  { table: 'herd', figure: 'committed_ms', most: 2_000 },
  {
    table: 'followers',
    figure: 'per_second',
    of: 'Service, 500 followers',
    against: 'Service',
    least: 0.9,
  },
  {
    table: 'followers',
    figure: 'per_second',
    of: 'Service, 50 open consoles',
    against: 'Service',
    least: 0.9,
  },
  ...['hour', 'day', 'week', 'month'].map((range) => ({
    table: 'overview',
    figure: `${range}_max_ms`,
    most: 100,
  })),
  { table: 'pressure', figure: 'called_per_second', of: 'under pressure', against: 'quiet', least: 0.65 },
  { table: 'pressure', figure: 'called_per_second', of: 'afterwards', against: 'quiet', least: 0.9 },
  { table: 'pressure', figure: 'lost', of: 'afterwards', most: 0 },
  { table: 'growth', figure: 'growth', of: 'large', most: 1.3 },
];

/**
 * Compares the results with the goals, as far as they were measured.
 * @param {{ id: string, title: string, figures: object, subjects: { name: string, figures: object }[] }[]} tables
 * @returns {{ work: string, goal: string, measured: number, isReached: boolean }[]}
 */
export function compareWithGoals(tables) {
  return GOALS.flatMap((goal) => {
    const table = tables.find(({ id }) => id === goal.table);
    const medianOf = (name) =>
      table?.subjects.find((subject) => subject.name === name)?.figures[goal.figure]?.median;
    const { of = 'Service', against } = goal;
    const [own, other] = [medianOf(of), against === undefined ? 1 : medianOf(against)];
    if (own === undefined || other === undefined) return [];
    const measured = own / other;
    const bound = goal.least === undefined ? `≤ ${goal.most}` : `≥ ${goal.least}`;
    return {
      work: `${table.title.split(':')[0]}: ${table.figures[goal.figure].title}${of === 'Service' ? '' : ` (${of})`}`,
      goal: against === undefined ? bound : `${bound} × ${against}`,
      measured,
      isReached: goal.least === undefined ? measured <= goal.most : measured >= goal.least,
    };
  });
}
