import { callerOf, createVerifier } from '@service/client/verify';
import express from 'express';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Orders by organization. The token says who is calling; Service says from time to time what they may do. */
export function ordersApp(serviceUrl) {
  const { requirePermission, requireUser } = createVerifier({ url: serviceUrl }).express;
  const ordersByOrg = new Map();
  const ordersOf = (request) => {
    const org = request.get('X-Service-Org');
    if (!ordersByOrg.has(org)) ordersByOrg.set(org, []);
    return ordersByOrg.get(org);
  };

  const app = express();
  app.use(express.json());

  // Anyone.
  app.get('/', (request, response) => {
    response.json({ service: 'orders' });
  });

  // Anyone who is signed in.
  app.get('/me', requireUser(), (request, response) => {
    const { userId, email } = callerOf(request);
    response.json({ userId, email });
  });

  // For callers whose role or key allows it in the organization that the request names.
  app.get('/orders', namesOrg, requirePermission('data:orders:read'), (request, response) => {
    response.json(ordersOf(request));
  });
  app.post('/orders', namesOrg, requirePermission('data:orders:create'), (request, response) => {
    const { item } = request.body ?? {};
    if (typeof item !== 'string') {
      response.status(400).json({
        error: { code: 'validation_failed', message: 'An order has an item, a text.', status: 400 },
      });
      return;
    }
    const order = { id: ordersOf(request).length + 1, item };
    ordersOf(request).push(order);
    response.status(201).json(order);
  });

  return app;
}

/**
 * Orders are kept by the organization's id: a slug can be given up, and then belong to somebody else. That the caller is in
 * that organization is part of what the service is asked.
 */
function namesOrg(request, response, next) {
  if (UUID.test(request.get('X-Service-Org') ?? '')) next();
  else
    response
      .status(400)
      .json({ error: { code: 'org_required', message: 'Send X-Service-Org, an id.', status: 400 } });
}
