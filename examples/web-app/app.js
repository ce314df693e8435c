import { createClient, ServiceError } from './client.js';

const { searchParams } = new URL(location.href);
const client = createClient({ url: searchParams.get('service') ?? 'http://127.0.0.1:8080' });
const element = (id) => document.getElementById(id);

/** Runs what a button asks for; says what the service has against it. */
async function attempt(work) {
  element('problem').textContent = '';
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    element('problem').textContent = [error.message, error.hint].filter(Boolean).join(' ');
  }
}

function onSubmit(id, work) {
  element(id).addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(() => work(Object.fromEntries(new FormData(event.target))));
  });
}

function show(session) {
  element('sign-in').hidden = session !== null;
  element('signed-in').hidden = session === null;
  element('who').textContent = session?.user.email ?? '';
}

onSubmit('sign-in', ({ email, password }) => client.auth.signIn({ email, password }));

element('sign-out').addEventListener('click', () => void attempt(() => client.auth.signOut()));

onSubmit('greet', async ({ name }) => {
  const log = element('log');
  log.textContent = '';
  const { id } = await client.jobs.trigger('greet', { name });
  for await (const { message } of client.logs.follow({ runId: id })) log.append(`${message}\n`);
  const { result } = await client.runs.get(id);
  log.append(result?.greeting ?? '');
});

// The client keeps the session in IndexedDB: another tab that signs in or out is followed, and a reload changes nothing.
client.auth.onChange((_event, session) => show(session));
show(await client.auth.session());
