import { readExample } from './example.js';
import type { Gateway, Ports } from './example.js';
import { GatewayProcess } from './gateway-process.js';

export async function startNginx(ports: Ports): Promise<Gateway> {
  // `nginx -p .` looks for its files in the folder where it starts.
  const args = ['-p', '.', '-c', 'nginx.conf', '-e', 'stderr', '-g', 'daemon off;'];
  return await GatewayProcess.start('nginx', args, ports.gateway, {
    'nginx.conf': await readExample('nginx.conf', ports),
    'application.conf': await readExample('application.conf'),
  });
}

export async function startCaddy(ports: Ports): Promise<Gateway> {
  const caddyfile = await readExample('Caddyfile', ports);
  return await GatewayProcess.start('caddy', ['run'], ports.gateway, { Caddyfile: caddyfile });
}
