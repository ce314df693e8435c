// npm start. SERVICE_URL says where the service is, PORT where to listen.
import { ordersApp } from './app.mjs';

const { SERVICE_URL = 'http://127.0.0.1:8080', PORT = '3001' } = process.env;

const server = ordersApp(SERVICE_URL).listen(Number(PORT), '127.0.0.1', () => {
  process.stdout.write(`Orders on http://127.0.0.1:${server.address().port}\n`);
});
