const DAY_MS = 24 * 60 * 60 * 1000;
const PAGE = 100;

/** Counts the runs of the day before, by how they ended, and sends the count to `send_to`. */
export default async function report(request) {
  const { service, send_to: sendTo } = await request.json();
  if (!URL.canParse(service) || !URL.canParse(sendTo)) {
    // The same payload would never do: 422 ends the run, whatever retries are left.
    return Response.json(
      { error: 'the payload needs the addresses "service" and "send_to"' },
      { status: 422 },
    );
  }

  // Not the present moment: a report that is late, or tried again, is of the same day.
  const scheduledFor = request.headers.get('X-Service-Scheduled-For') ?? new Date().toISOString();
  const until = new Date(scheduledFor);
  const since = new Date(until.getTime() - DAY_MS);
  const summary = { since: since.toISOString(), until: until.toISOString(), ended: {}, failed: [] };

  const runs = runsBetween(service, request.headers.get('Authorization'), summary);
  for await (const { id, job_id, status, error } of runs) {
    summary.ended[status] = (summary.ended[status] ?? 0) + 1;
    if (status === 'failed') summary.failed.push({ id, job_id, reason: error?.message });
  }
  console.log(`${summary.failed.length} failed between ${summary.since} and ${summary.until}`);

  const answer = await fetch(sendTo, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      // The same in every attempt, so that the receiver can tell a repetition.
      'Idempotency-Key': request.headers.get('Idempotency-Key'),
    },
    body: JSON.stringify(summary),
  });
  // Whatever is not 2xx or 422 is tried again, later and later.
  if (!answer.ok) return Response.json({ error: `the receiver answered ${answer.status}` }, { status: 503 });
  return Response.json({ ok: true, ...summary });
}

/** Reads the organization's runs, page by page, with the token that the call brought: good until this attempt ends. */
async function* runsBetween(service, authorization, { since, until }) {
  let next = new URL(`/jobs/v1/runs?limit=${PAGE}&since=${since}&until=${until}`, service);
  while (next !== null) {
    const answer = await fetch(next, { headers: { Authorization: authorization } });
    if (!answer.ok) throw new Error(`the service answered ${answer.status}`);
    yield* await answer.json();
    const link = /<([^>]+)>; rel="next"/.exec(answer.headers.get('Link') ?? '');
    next = link === null ? null : new URL(link[1], service);
  }
}
