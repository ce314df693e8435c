import { parse } from 'yaml';
import { readExample } from './example.js';
import type { Gateway, Ports } from './example.js';
import { pass, refuse, refuseWhereAway, replay } from './replayed-gateway.js';
import type { Answered, Asked, HeaderMap } from './replayed-gateway.js';

interface StringMatcher {
  exact?: string;
  safe_regex?: { regex: string };
}

interface HttpService {
  server_uri: { cluster: string };
  path_prefix: string;
  authorization_response: { allowed_upstream_headers: { patterns: StringMatcher[] } };
}

interface ExtAuthz {
  failure_mode_allow: boolean;
  status_on_error: { code: string };
  allowed_headers: { patterns: StringMatcher[] };
  http_service: HttpService;
}

interface Route {
  match: { prefix: string; headers?: { name: string; string_match: StringMatcher }[] };
  route: { cluster: string };
  typed_per_filter_config?: Record<string, { check_settings: { http_service: HttpService } }>;
}

interface VirtualHost {
  request_headers_to_remove: string[];
  routes: Route[];
}

interface ConnectionManager {
  common_http_protocol_options: { headers_with_underscores_action: string };
  http_filters: { name: string; typed_config: ExtAuthz }[];
  route_config: { virtual_hosts: VirtualHost[] };
}

interface Endpoint {
  endpoint: { address: { socket_address: SocketAddress } };
}

interface SocketAddress {
  address: string;
  port_value: number;
}

interface Bootstrap {
  static_resources: {
    listeners: {
      address: { socket_address: SocketAddress };
      filter_chains: { filters: { typed_config: ConnectionManager }[] }[];
    }[];
    clusters: { name: string; load_assignment: { endpoints: { lb_endpoints: Endpoint[] }[] } }[];
  };
}

const FILTER = 'envoy.filters.http.ext_authz';
const STATUSES: Readonly<Record<string, number>> = { Forbidden: 403, ServiceUnavailable: 503 };

function matches(matchers: readonly StringMatcher[], value: string): boolean {
  return matchers.some(({ exact, safe_regex: pattern }) =>
    pattern === undefined ? exact === value : new RegExp(`^(?:${pattern.regex})$`).test(value),
  );
}

function fits({ match }: Route, { method, path }: Asked): boolean {
  const methods = match.headers ?? [];
  if (methods.some(({ name }) => name !== ':method'))
    throw new Error('this reads matchers of the method only');
  return (
    path.startsWith(match.prefix) && methods.every(({ string_match }) => matches([string_match], method))
  );
}

/** The request that Envoy sends to the gate (source/extensions/filters/common/ext_authz/ext_authz_http_impl.cc). */
function checkRequest(gate: HttpService, allowed: ExtAuthz['allowed_headers'], asked: Asked): Asked {
  const headers: HeaderMap = new Map([['content-length', ['0']]]);
  for (const [name, values] of asked.headers) {
    const isSent = name === 'host' || name === 'authorization' || matches(allowed.patterns, name);
    if (isSent) headers.set(name, values);
  }
  return {
    method: asked.method,
    path: `${gate.path_prefix}${asked.path}`,
    headers,
    body: Buffer.alloc(0),
  };
}

/** Gives the request the identity that the gate answered. */
function identify(headers: HeaderMap, gate: HttpService, answered: Answered): void {
  const { patterns } = gate.authorization_response.allowed_upstream_headers;
  for (const [name, values] of answered.headers) {
    if (matches(patterns, name)) headers.set(name, values);
  }
  const removed = answered.headers.get('x-envoy-auth-headers-to-remove') ?? [];
  for (const name of removed.flatMap((value) => value.split(','))) headers.delete(name.trim());
}

/** @returns what the client gets in place of the application's answer, null where the request passes */
async function check(
  filter: ExtAuthz,
  gate: HttpService,
  url: string,
  asked: Asked,
): Promise<Answered | null> {
  const answered = await pass(url, checkRequest(gate, filter.allowed_headers, asked)).catch(
    refuseWhereAway(500),
  );
  if (answered.status >= 500) {
    return filter.failure_mode_allow ? null : refuse(STATUSES[filter.status_on_error.code] ?? 403);
  }
  if (answered.status !== 200) return answered;
  identify(asked.headers, gate, answered);
  return null;
}

/** Answers as Envoy does with the file of the example. */
export async function startEnvoy(ports: Ports): Promise<Gateway> {
  const { listeners, clusters } = (parse(await readExample('envoy.yaml', ports)) as Bootstrap)
    .static_resources;
  const [listener] = listeners;
  const manager = listener?.filter_chains[0]?.filters[0]?.typed_config;
  const filter = manager?.http_filters.find(({ name }) => name === FILTER)?.typed_config;
  const host = manager?.route_config.virtual_hosts[0];
  if (manager === undefined || filter === undefined || host === undefined)
    throw new Error('no gate in envoy.yaml');
  const urlOf = (cluster: string): string => {
    const { load_assignment: assigned } = clusters.find(({ name }) => name === cluster) ?? {};
    const { address, port_value } =
      assigned?.endpoints[0]?.lb_endpoints[0]?.endpoint.address.socket_address ?? {};
    return `http://${address}:${port_value}`;
  };
  const dropsUnderscores =
    manager.common_http_protocol_options.headers_with_underscores_action === 'DROP_HEADER';
  return await replay(listener?.address.socket_address.port_value ?? 0, async (asked) => {
    for (const name of asked.headers.keys()) {
      if (dropsUnderscores && name.includes('_')) asked.headers.delete(name);
    }
    const route = host.routes.find((each) => fits(each, asked));
    if (route === undefined) return refuse(404);
    const gate = route.typed_per_filter_config?.[FILTER]?.check_settings.http_service ?? filter.http_service;
    const refused = await check(filter, gate, urlOf(gate.server_uri.cluster), asked);
    if (refused !== null) return refused;
    for (const name of host.request_headers_to_remove) asked.headers.delete(name);
    return await pass(urlOf(route.route.cluster), asked);
  });
}
