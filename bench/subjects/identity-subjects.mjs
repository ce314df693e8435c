import { startPeer } from './peer.mjs';
import { ask, PASSWORD, signUp, startService } from './service.mjs';

/** The defaults of the service. */
const ARGON2 = { memoryKib: 65_536, timeCost: 3, parallelism: 1 };
const POOL_SIZE = 10;
/** So many that their time is measured exactly. */
const SIGNATURES = 4_000;
const JSON_TYPE = { 'content-type': 'application/json' };

/** Service with an account for each address, all signed in, each in an organization of its own. */
export async function startIdentityService(servers, emails) {
  const { program } = await startService(servers, 'service_identity', {
    SERVICE_IDENTITY__ARGON2_MEMORY_KIB: String(ARGON2.memoryKib),
    SERVICE_IDENTITY__ARGON2_TIME_COST: String(ARGON2.timeCost),
    SERVICE_IDENTITY__ARGON2_PARALLELISM: String(ARGON2.parallelism),
    SERVICE_DATABASE__POOL_SIZE: String(POOL_SIZE),
  });
  const sessions = [];
  for (const [number, email] of emails.entries()) {
    const session = await signUp(program.url, email);
    const body = { slug: `bench-${number}`, name: 'Bench' };
    await ask(`${program.url}/auth/v1/orgs`, { token: session.access_token, body });
    sessions.push(session);
  }
  const bearerOf = (connection) => ({ authorization: `Bearer ${sessions[connection].access_token}` });
  return {
    name: 'Service',
    program,
    questions: {
      others: {},
      signIn: {
        proof: '"access_token":',
        requestOf: (connection) => ({
          method: 'POST',
          path: '/auth/v1/token?grant_type=password',
          headers: JSON_TYPE,
          body: JSON.stringify({ email: emails[connection], password: PASSWORD }),
        }),
      },
      whoAmI: {
        proof: '"email":',
        requestOf: (connection) => ({ path: '/auth/v1/user', headers: bearerOf(connection) }),
      },
      warm: {
        proof: '"permissions":',
        requestOf: (connection) => ({ path: '/auth/v1/permissions', headers: bearerOf(connection) }),
      },
      refresh: {
        proof: '"refresh_token":',
        requestOf: (connection) => ({
          method: 'POST',
          path: '/auth/v1/token?grant_type=refresh_token',
          headers: JSON_TYPE,
          setupRequest: (request) => ({
            ...request,
            body: JSON.stringify({ refresh_token: sessions[connection].refresh_token }),
          }),
          onResponse: (_status, body) => {
            sessions[connection] = JSON.parse(body);
          },
        }),
      },
    },
  };
}

/** better-auth with the same accounts. */
export async function startBetterAuth(servers, emails) {
  const program = await startPeer(servers, 'better-auth.mjs', 'better_auth', {
    BENCH_POOL_SIZE: String(POOL_SIZE),
    ...argon2Variables(),
  });
  const cookies = [];
  for (const email of emails) cookies.push(await cookiesOf(program.url, email));
  // Without the copy of the session that one of the cookies holds.
  const tokenOf = (connection) => cookies[connection].find((cookie) => cookie.includes('session_token='));
  return {
    name: 'better-auth',
    program,
    questions: {
      others: {},
      signIn: {
        proof: '"token":',
        requestOf: (connection) => ({
          method: 'POST',
          path: '/auth/sign-in/email',
          headers: { ...JSON_TYPE, origin: program.url },
          body: JSON.stringify({ email: emails[connection], password: PASSWORD }),
        }),
      },
      whoAmI: {
        proof: '"email":',
        requestOf: (connection) => ({
          path: '/auth/get-session?disableCookieCache=true',
          headers: { cookie: tokenOf(connection) },
        }),
      },
      warm: {
        proof: '"email":',
        requestOf: (connection) => ({
          path: '/auth/get-session',
          headers: { cookie: cookies[connection].join('; ') },
        }),
      },
      refresh: {
        proof: '"email":',
        requestOf: (connection) => ({
          path: '/sliding/get-session',
          headers: { cookie: tokenOf(connection) },
        }),
      },
    },
  };
}

/** The computations that limit sign-in and refresh, without anything else. */
export async function startRawLimits(servers) {
  const program = await startPeer(servers, 'raw-limits.mjs', 'raw_limits', argon2Variables());
  const compute = (path) => async (amount) =>
    (await ask(`${program.url}${path}?amount=${amount}`)).per_second;
  return [
    { name: 'Argon2id alone', program, questions: { signIn: { compute: compute('/argon2id') } } },
    {
      name: 'RS256 signatures alone',
      program,
      questions: { refresh: { compute: compute('/rs256'), amount: SIGNATURES } },
    },
    {
      name: 'the same on all cores',
      program,
      questions: { refresh: { compute: compute('/rs256-on-all-cores'), amount: SIGNATURES } },
    },
  ];
}

function argon2Variables() {
  return {
    BENCH_ARGON2_MEMORY_KIB: String(ARGON2.memoryKib),
    BENCH_ARGON2_TIME_COST: String(ARGON2.timeCost),
    BENCH_ARGON2_PARALLELISM: String(ARGON2.parallelism),
  };
}

async function cookiesOf(url, email) {
  const response = await fetch(`${url}/auth/sign-up/email`, {
    method: 'POST',
    headers: { ...JSON_TYPE, origin: url },
    body: JSON.stringify({ name: 'Ada', email, password: PASSWORD }),
  });
  if (!response.ok) throw new Error(`better-auth: ${response.status} ${await response.text()}`);
  return response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
}
