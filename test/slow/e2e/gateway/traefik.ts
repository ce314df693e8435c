import { parse } from 'yaml';
import { readExample } from './example.js';
import type { Gateway, Ports } from './example.js';
import { pass, refuse, refuseWhereAway, replay } from './replayed-gateway.js';
import type { Answered, Asked, HeaderMap } from './replayed-gateway.js';

interface ForwardAuth {
  address: string;
  authRequestHeaders: string[];
  authResponseHeadersRegex: string;
  trustForwardHeader: boolean;
}

interface Middleware {
  forwardAuth?: ForwardAuth;
  headers?: { customRequestHeaders: Record<string, string> };
}

interface Router {
  rule: string;
  middlewares: string[];
  service: string;
}

interface Routes {
  http: {
    routers: Record<string, Router>;
    middlewares: Record<string, Middleware>;
    services: Record<string, { loadBalancer: { servers: { url: string }[] } }>;
  };
}

interface Static {
  entryPoints: { web: { address: string; http: { middlewares: string[] } } };
  providers: { file: { filename: string } };
}

const RULE =
  /^PathPrefix\(`([^`]+)`\)(?: && (?:Method\(`\w+`\)|\(Method\(`\w+`\)(?: \|\| Method\(`\w+`\))*\)))?$/;

function fits(rule: string, { method, path }: Asked): boolean {
  const prefix = RULE.exec(rule)?.[1];
  if (prefix === undefined) throw new Error(`no rule of the form that this reads: ${rule}`);
  const methods = [...rule.matchAll(/Method\(`(\w+)`\)/g)].map(([, name]) => name);
  return path.startsWith(prefix) && (methods.length === 0 || methods.includes(method));
}

/** As in Go, where `(?i)` stands before the expression. */
function toRegExp(expression: string): RegExp {
  return expression.startsWith('(?i)') ? new RegExp(expression.slice(4), 'i') : new RegExp(expression);
}

/** The request that Traefik 3 sends to the gate (pkg/middlewares/auth/forward.go). */
function subRequest({ address, authRequestHeaders }: ForwardAuth, { method, path, headers }: Asked): Asked {
  const { pathname, search } = new URL(address);
  const allowed = authRequestHeaders.map((name) => name.toLowerCase());
  const passed = [...headers].filter(([name]) => allowed.includes(name));
  const forwarded: [string, string[]][] = [
    ['x-forwarded-for', ['127.0.0.1']],
    ['x-forwarded-host', headers.get('host') ?? []],
    ['x-forwarded-method', [method]],
    ['x-forwarded-port', ['80']],
    ['x-forwarded-proto', ['http']],
    ['x-forwarded-uri', [path]],
  ];
  return {
    method: 'GET',
    path: `${pathname}${search}`,
    headers: new Map([['accept-encoding', ['gzip']], ...passed, ...forwarded]),
    body: Buffer.alloc(0),
  };
}

/** @returns what the client gets in place of the application's answer, null where the request passes */
async function askGate(gate: ForwardAuth, asked: Asked): Promise<Answered | null> {
  const answered = await pass(new URL(gate.address).origin, subRequest(gate, asked)).catch(
    refuseWhereAway(500),
  );
  if (answered.status < 200 || answered.status >= 300) return answered;
  const identity = toRegExp(gate.authResponseHeadersRegex);
  for (const name of asked.headers.keys()) if (identity.test(name)) asked.headers.delete(name);
  for (const [name, values] of answered.headers) {
    if (identity.test(name)) asked.headers.set(name, values);
  }
  return null;
}

function setHeaders(headers: HeaderMap, custom: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(custom)) {
    if (value === '') headers.delete(name.toLowerCase());
    else headers.set(name.toLowerCase(), [value]);
  }
}

/** Answers as Traefik does with the files of the example. */
export async function startTraefik(ports: Ports): Promise<Gateway> {
  const { entryPoints, providers } = parse(
    await readExample('traefik.yaml', { gateway: ports.gateway }),
  ) as Static;
  const { service, application } = ports;
  const { http } = parse(await readExample(providers.file.filename, { service, application })) as Routes;
  const always = entryPoints.web.http.middlewares.map((name) => name.replace(/@file$/, ''));
  return await replay(Number(entryPoints.web.address.split(':')[1]), async (asked) => {
    const router = Object.values(http.routers).find(({ rule }) => fits(rule, asked));
    if (router === undefined) return refuse(404);
    for (const name of [...always, ...router.middlewares]) {
      const { forwardAuth, headers } = http.middlewares[name] ?? {};
      if (forwardAuth === undefined && headers === undefined)
        throw new Error(`there is no middleware ${name}`);
      if (headers !== undefined) setHeaders(asked.headers, headers.customRequestHeaders);
      const refused = forwardAuth === undefined ? null : await askGate(forwardAuth, asked);
      if (refused !== null) return refused;
    }
    return await pass(http.services[router.service]?.loadBalancer.servers[0]?.url ?? '', asked);
  });
}
