/** A function is a default export from a Request to a Response. The request's body is the run's payload. */
export default async function greet(request) {
  const { name = 'world' } = await request.json();
  // What a function prints becomes log lines of the service, with the run's id.
  console.log(`greeting ${name}`);
  return Response.json({ ok: true, greeting: `Hello, ${name}!` });
}
