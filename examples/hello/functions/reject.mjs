/** 422 says that the same payload will never do: the run fails at once, whatever retries are left. */
export default async function reject() {
  return Response.json({ error: 'this order has no items' }, { status: 422 });
}
