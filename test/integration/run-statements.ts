/** Whether the statement is about runs, and neither the heartbeat's, the sweeper's, the test's own nor that of the metrics. */
export function isOfRun(sql: string): boolean {
  return (
    /\bruns\b|\bruns_active\b|exchange_runs/.test(sql) &&
    !/\bworkers\b|WITH RECURSIVE\b|^SELECT count/.test(sql)
  );
}

/** Commands of Bull's blocking wait and of the health check come by the clock, whether or not runs are under way. */
export function queueCommands(commands: Readonly<Record<string, number>>): number {
  return Object.entries(commands)
    .filter(([command]) => !/^(?:ping|info|config|client|brpoplpush|blmove)/.test(command))
    .reduce((sum, [, count]) => sum + count, 0);
}
