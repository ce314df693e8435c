import { AUDIENCE, ISSUER } from '../measuring/issuer.mjs';
import { startPeer } from './peer.mjs';
import { ask, signUp, startService } from './service.mjs';

/**
 * Service and the frameworks below it, each with a route that answers the same JSON from memory. A subject has the URL
 * and the headers of each connection.
 */
export async function startRequestSubjects(servers, { handler, issuer, connections }) {
  const users = Array.from({ length: connections }, (_, number) => `user${number}`);
  const service = await startServiceWithUsers(servers, users);
  const variables = {
    BENCH_KEYS_URL: `${handler.origin}/keys`,
    BENCH_ISSUER: ISSUER,
    BENCH_AUDIENCE: AUDIENCE,
    BENCH_USERS: JSON.stringify(users),
    BENCH_ANSWER: JSON.stringify(await ask(service.url, { headers: service.headers[0] })),
  };
  const peer = async (name, file, database) => {
    const program = await startPeer(servers, file, database, variables);
    const tokens = await Promise.all(users.map(issuer.tokenOf));
    return { name, program, url: `${program.url}/permissions`, headers: tokens.map(bearer) };
  };
  return [
    service,
    await peer('Fastify with @fastify/jwt', 'fastify-jwt.mjs', 'fastify_jwt'),
    await peer('Nest on Fastify, no authentication', 'nest-fastify.mjs', 'nest_fastify'),
  ];
}

/** Each user owns an organization. */
async function startServiceWithUsers(servers, users) {
  const { program } = await startService(servers, 'service_requests', {});
  const headers = [];
  for (const user of users) {
    const { access_token: token } = await signUp(program.url, `${user}@example.com`);
    await ask(`${program.url}/auth/v1/orgs`, { token, body: { slug: user, name: 'Bench' } });
    headers.push(bearer(token));
  }
  return { name: 'Service', program, url: `${program.url}/auth/v1/permissions`, headers };
}

function bearer(token) {
  return { authorization: `Bearer ${token}` };
}
