import { callerOf, createVerifier } from '@service/client/verify';
import express from 'express';

/**
 * Orders by the id of the organization, which Service says with what the caller may do there. A request may name the
 * organization by its slug, which can be given up, and then belong to somebody else.
 */
export function ordersApp(serviceUrl) {
  const { requirePermission, requireUser } = createVerifier({ url: serviceUrl }).express;
  const ordersByOrg = new Map();
  const ordersOf = (request) => {
    const { tenant } = callerOf(request);
    if (!ordersByOrg.has(tenant)) ordersByOrg.set(tenant, []);
    return ordersByOrg.get(tenant);
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

  // For callers whose role or key allows it in the organization that the request names, or in their only one.
  app.get('/orders', requirePermission('data:orders:read'), (request, response) => {
    response.json(ordersOf(request));
  });
  app.post('/orders', requirePermission('data:orders:create'), (request, response) => {
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
