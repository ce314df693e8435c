const callsByRun = new Map();

/** Unavailable (503) for the first two calls of each run. A 503 is tried again after the job's backoff. */
export default async function flaky(request) {
  // The id is the same in every attempt of a run: a real function uses it to do its work only once.
  const runId = request.headers.get('X-Service-Run-Id');
  const call = (callsByRun.get(runId) ?? 0) + 1;
  callsByRun.set(runId, call);
  if (call <= 2) return Response.json({ error: `not ready at call ${call}` }, { status: 503 });
  callsByRun.delete(runId);
  return Response.json({ ok: true, calls: call });
}
