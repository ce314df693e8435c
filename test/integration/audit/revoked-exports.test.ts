import { watchAccess } from '../../../src/http/index.js';
import type { ServiceRequest } from '../../../src/http/index.js';
import { Client } from '../../support/client.js';
import { createOperatorAccount } from '../../support/operator-account.js';
import { createProject, createProjectEnvironment } from '../../support/project-environment.js';
import type { ProjectEnvironment, TestProject } from '../../support/project-environment.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';
import { ConsoleCaller } from '../../slow/e2e/console/console-caller.js';
import { signInOperator } from '../../slow/e2e/console/operator-accounts.js';
import { fetch } from '../../support/fetch.js';

/** Together more than the operating system buffers for a reader that does not read. */
const ENTRIES = 400;
const DETAILS_BYTES = 60_000;
const EXPORT = '/auth/v1/audit/export';

describe('an export of the audit trail of a project', () => {
  let environment: ProjectEnvironment;
  let service: ServiceInProcess;
  let operator: Client;
  let project: TestProject;

  beforeAll(async () => {
    environment = await createProjectEnvironment();
    service = await ServiceInProcess.start({
      ...environment.variables,
      SERVICE_ROLE: 'api',
      // Only the end of an export makes room for another.
      SERVICE_LIMITS__AUDIT_EXPORTS: '1',
      SERVICE_SERVER__UNREAD_SECS: '3600',
    });
    operator = new Client(service.url).as(environment.adminToken);
  });

  beforeEach(async () => {
    project = await createProject(service.url, environment.adminToken);
    await environment.database.query(
      `INSERT INTO audit_entries
         (id, chain_id, position, at, actor_type, action, org_id, details, body, prev_hash, hash)
       SELECT gen_random_uuid(), 'filled:' || $1::text, number, now(), 'system', 'test.filled', $1::uuid,
              jsonb_build_object('text', repeat('x', $3)), '{}', '\\x00', '\\x00'
       FROM generate_series(1, $2::int) AS number`,
      [project.id, ENTRIES, DETAILS_BYTES],
    );
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  /** Begins an export, and reads none of it until `revoke` has had its effect. */
  async function expectBrokenOff(caller: Client, revoke: () => Promise<Client>): Promise<void> {
    const response = await fetch(`${service.url}${EXPORT}`, { headers: caller.headers });
    expect(response.status).toBe(200);
    const heir = await revoke();
    await until(async () => (await heir.get(`${EXPORT}?action=nothing.matches`)).status === 200);
    await expect(response.text()).rejects.toThrow();
  }

  it('breaks off when the service key is rotated', async () => {
    await expectBrokenOff(project.service, async () => {
      const { body } = await operator.post<{ service_key: string }>(
        `/admin/v1/projects/${project.ref}/keys/rotate`,
        { key: 'service' },
      );
      return new Client(service.url, { apikey: body.service_key });
    });
  });

  it('breaks off when the operator who acts in the project is removed', async () => {
    const account = await createOperatorAccount(environment.database, 'project', 'read_only');
    const token = await signInOperator(new ConsoleCaller(service.url), account);
    const acting = new Client(service.url, { 'x-service-project': project.ref }).as(token);
    await expectBrokenOff(acting, async () => {
      await environment.database.query('DELETE FROM operators WHERE user_id = $1', [account.userId]);
      return project.service;
    });
  });

  it('fails instead of streaming where nobody watches the access', () => {
    expect(() => watchAccess({} as ServiceRequest, () => undefined)).toThrow('nobody watches its access');
  });
});
