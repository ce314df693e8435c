/** Notes the commits that came onto the default branch. The body is GitHub's, signed and already verified. */
export default async function push(request) {
  const { zen, ref, repository, after, commits, deleted } = await request.json();
  // The first call after the webhook was set up.
  if (zen !== undefined) return Response.json({ ok: true, pong: zen });
  if (typeof ref !== 'string' || repository === undefined) {
    return Response.json({ error: 'this is no push: choose the event "push" alone' }, { status: 422 });
  }
  const isOfDefaultBranch = ref === `refs/heads/${repository.default_branch}`;
  if (!isOfDefaultBranch || deleted) return Response.json({ ok: true, ignored: ref });

  const titles = commits.map(({ id, message }) => `${id.slice(0, 7)} ${message.split('\n')[0]}`);
  for (const title of titles) console.log(title);
  // Here the work would begin: build, deploy, tell somebody. By the run's id it can be done once only.
  return Response.json({ ok: true, head: after, commits: titles });
}
