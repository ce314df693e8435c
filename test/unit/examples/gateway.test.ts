import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { removalForEnvoy } from '../../../src/access/credentials/identity-headers.js';

/** Every header in which the gate says who is calling. */
const IDENTITY = Object.values(removalForEnvoy({})).join().split(',');

function read(name: string): string {
  return readFileSync(new URL(`../../../examples/gateway/${name}`, import.meta.url), 'utf8').toLowerCase();
}

test('the nginx example replaces every header in which the gate says who is calling', () => {
  const set = read('application.conf').matchAll(/^proxy_set_header (x-service-\S+)\s+\$service_/gm);
  expect([...set].map(([, name]) => name).sort()).toEqual([...IDENTITY].sort());
});

test('the Caddy example removes every header of identity of the client before it asks the gate', () => {
  const [before = '', after = ''] = read('Caddyfile').split('forward_auth ');
  const removed = [...before.matchAll(/^\s*request_header -(x-service-\S+)$/gm)].map(([, name]) => name);
  const copied = /^\s*copy_headers (.*)$/m.exec(after)?.[1]?.split(' ') ?? [];
  expect([removed.sort(), copied.sort()]).toEqual([[...IDENTITY].sort(), [...IDENTITY].sort()]);
});

test('the Traefik example removes every header of identity of the client, and each router asks a gate first', () => {
  type Named = Record<string, Record<string, Record<string, unknown>>>;
  const { routers, middlewares } = (parse(read('traefik-routes.yaml')) as { http: Record<string, Named> })
    .http;
  const { customrequestheaders } = (middlewares?.['without-identity']?.headers ?? {}) as Record<
    string,
    object
  >;
  expect(customrequestheaders).toEqual(Object.fromEntries(IDENTITY.map((name) => [name, ''])));
  expect(read('traefik.yaml')).toContain('- without-identity@file');
  for (const { middlewares: names } of Object.values(routers ?? {})) {
    const gate = middlewares?.[(names as unknown as string[])[0] ?? '']?.forwardauth;
    expect(gate?.address).toMatch(/\/auth\/v1\/gate\?permission=data:/);
    const identity = new RegExp(String(gate?.authresponseheadersregex).replace('(?i)', ''), 'i');
    for (const name of IDENTITY) expect(name).toMatch(identity);
  }
});

test('the Envoy example takes every header of identity from the gate', () => {
  const allowed = read('envoy.yaml').split('allowed_upstream_headers:')[1]?.split('- name:')[0] ?? '';
  const names = [...allowed.matchAll(/- exact: (\S+)/g)].map(([, name]) => name);
  expect(names.sort()).toEqual([...IDENTITY].sort());
});
