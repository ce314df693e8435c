import { fastify } from 'fastify';
import { MethodsByPath } from '../../../src/http/index.js';

describe('the methods of a path', () => {
  const methods = new MethodsByPath();

  beforeAll(async () => {
    const server = fastify();
    methods.observe(server);
    server.get('/runs', () => null);
    server.post('/runs', () => null);
    server.get('/runs/:id', () => null);
    server.delete('/runs/:id', () => null);
    server.get('/files/*', () => null);
    await server.ready();
    await server.close();
  });

  it.each([
    ['/runs', ['GET', 'HEAD', 'POST']],
    ['/runs?limit=1', ['GET', 'HEAD', 'POST']],
    ['/runs/1', ['GET', 'HEAD', 'DELETE']],
    [`/runs/${'r'.repeat(512)}`, ['GET', 'HEAD', 'DELETE']],
    ['/runs/a%2Fb', ['GET', 'HEAD', 'DELETE']],
    ['/files/a/b', ['GET', 'HEAD']],
    ['/runs/1/2', []],
    ['/nowhere', []],
    ['/', []],
    ['/runs/%zz', []],
  ])('%s: %j', (url, expected) => {
    expect(methods.allowed(url)).toEqual(expected);
  });
});
