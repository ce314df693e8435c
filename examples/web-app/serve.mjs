// npm start. Serves the page and its two scripts; the client is bundled into one of them here. PORT says where.
import { build } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const { PORT = '3000' } = process.env;

const bundle = await build({
  stdin: { contents: `export * from '@service/client'`, resolveDir: import.meta.dirname },
  bundle: true,
  format: 'esm',
  minify: true,
  write: false,
});

const fileNamed = (name) => readFile(new URL(name, import.meta.url));
const served = new Map([
  ['/', { type: 'text/html; charset=utf-8', body: await fileNamed('index.html') }],
  ['/app.js', { type: 'text/javascript', body: await fileNamed('app.js') }],
  ['/client.js', { type: 'text/javascript', body: bundle.outputFiles[0].text }],
]);

const server = createServer((request, response) => {
  const found = served.get(new URL(request.url, 'http://page').pathname);
  if (found) response.writeHead(200, { 'Content-Type': found.type }).end(found.body);
  else response.writeHead(404).end();
});
server.listen(Number(PORT), '127.0.0.1', () => {
  process.stdout.write(`Greeter on http://127.0.0.1:${server.address().port}\n`);
});
