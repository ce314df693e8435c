import Fastify from 'fastify';
import { announce, settings } from './settings.mjs';
import { authenticate, registerTokens } from './verified-token.mjs';

const PERMISSION = 'auth:permissions:read';
const app = Fastify();
await registerTokens(app);

/** By user: the permissions in the organization. */
const members = new Map(settings.users.map((user) => [user, new Set([PERMISSION])]));

app.get('/permissions', {
  onRequest: [
    authenticate,
    async (request, reply) => {
      if (members.get(request.user.sub)?.has(PERMISSION) !== true)
        await reply.code(403).send({ error: 'permission_denied' });
    },
  ],
  handler: async () => settings.answer,
});

const url = await app.listen({ host: '127.0.0.1', port: 0 });
announce(url, () => app.close());
