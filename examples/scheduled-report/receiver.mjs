// Takes one report on http://127.0.0.1:9099, prints it, and ends.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const server = createServer(async (request, response) => {
  const report = await text(request);
  response.writeHead(204, { Connection: 'close' }).end();
  if (request.method !== 'POST') return;
  process.stdout.write(`${report}\n`);
  server.close();
});
server.listen(9099, '127.0.0.1');
