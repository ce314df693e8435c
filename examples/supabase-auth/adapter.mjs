// The `fetch` option of Supabase's auth client, for a project of Service.

/** What Service takes of the fields that the client sends. */
const FIELDS = ['email', 'password', 'refresh_token'];

export async function serviceFetch(url, { body, ...init } = {}) {
  const target = new URL(url);
  if (target.searchParams.get('scope') === 'others') {
    return refuse(400, 'validation_failed', 'Service ends the session of this client only.');
  }
  const sent = body === undefined ? undefined : JSON.stringify(JSON.parse(body), FIELDS);
  // Service refuses what it does not read, such as the scope of a sign-out.
  target.search = '';
  const response = await fetch(target, { ...init, body: sent });
  if (response.status === 204) return response;
  const answer = await response.json();
  if (!response.ok) return refuse(response.status, answer.error.code, answer.error.message);
  return Response.json('access_token' in answer ? completed(answer) : answer);
}

/** A session has the two tokens, and of a refresh no user: the rest is in the access token. */
function completed(session) {
  const { sub, email, iat, exp } = claimsOf(session.access_token);
  return {
    user: { id: sub, email },
    ...session,
    token_type: 'bearer',
    expires_in: exp - iat,
    expires_at: exp,
  };
}

function claimsOf(token) {
  const [, claims] = token.split('.');
  return JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')));
}

function refuse(status, code, message) {
  return Response.json({ code, message }, { status, headers: { 'X-Supabase-Api-Version': '2024-01-01' } });
}
