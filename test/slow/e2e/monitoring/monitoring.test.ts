import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Client, PASSWORD, signUp } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { ServiceInProcess } from '../../../support/service-in-process.js';

const EXAMPLE = new URL('../../../../examples/monitoring/', import.meta.url);
function promtool(words: string[], input?: string): string {
  const { error, status, stdout, stderr } = spawnSync('promtool', words, { input, encoding: 'utf8' });
  if (error) throw new Error('there is no promtool on PATH (apt-get install prometheus)', { cause: error });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

describe('the monitoring example', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let metrics: string;

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    const { email } = await signUp(service.url);
    const client = new Client(service.url);
    await client.post('/auth/v1/token?grant_type=password', { email, password: PASSWORD });
    metrics = (await client.get<string>('/metrics')).body;
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  it.each(['alerts.yml', 'dashboard.json'])('names in %s only metrics that are served', async (file) => {
    const text = await readFile(new URL(file, EXAMPLE), 'utf8');
    const named = new Set(text.match(/\b(?:service|process)_[a-z_]+_(?:total|bytes|depth|count|bucket)\b/g));
    expect(named.size).toBeGreaterThan(2);
    const missing = [...named].filter((name) => !new RegExp(`^${name}[ {]`, 'm').test(metrics));
    // A histogram has no bucket before its first observation; its help is there all the same.
    expect(
      missing.filter((name) => !metrics.includes(`# TYPE ${name.replace(/_(?:bucket|count)$/, '')} `)),
    ).toEqual([]);
  });

  it('can alert on the first refresh token that is used twice, since its series exists before it', () => {
    expect(metrics).toMatch(
      /^service_auth_events_total\{event="refresh",outcome="refresh_token_reused"\} 0$/m,
    );
  });

  it('has rules that promtool takes', () => {
    expect(promtool(['check', 'rules', fileURLToPath(new URL('alerts.yml', EXAMPLE))])).toBe('');
  });

  it('stands on metrics that promtool takes', () => {
    expect(promtool(['check', 'metrics'], metrics)).toBe('');
  });
});
