import fc from 'fast-check';
import { Client } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { HandlerServer } from '../../support/handler-server.js';
import { MailServer } from '../../support/mail-server.js';
import { createProjectEnvironment } from '../../support/project-environment.js';
import { sendRaw } from '../../support/raw-http.js';
import { ServiceProcess } from '../../support/service-process.js';
import { AcceptedRequests } from './fuzz/accepted-requests.js';
import { Answers } from './fuzz/answers.js';
import { operationsOf, resolved } from './fuzz/document.js';
import type { OpenApi, Operation } from './fuzz/document.js';
import type { Ground } from './fuzz/ground.js';
import { organizationGround } from './fuzz/organization-ground.js';
import { projectGround } from './fuzz/project-ground.js';
import { bytesOf, requestsOf } from './fuzz/requests.js';
import type { FuzzRequest } from './fuzz/requests.js';

const SEED = Number(process.env.TEST_FUZZ_SEED ?? 12);
const REQUESTS = Number(process.env.TEST_FUZZ_REQUESTS ?? 10_000);
/** Requests that share an account: what they delete, disable and use up comes back with the next. */
const REQUESTS_OF_A_GROUND = 150;
/** After one of these the rest of a ground is worth little. */
const ENDINGS = [
  'DELETE /auth/v1/user',
  'PATCH /auth/v1/user',
  'POST /auth/v1/logout',
  'DELETE /auth/v1/orgs/{org}',
  'POST /admin/v1/signing-keys/rotate',
  'PATCH /auth/v1/orgs/{org}',
  'DELETE /admin/v1/orgs/{org}',
  'PATCH /admin/v1/orgs/{org}',
];
const MAX_SHOWN = 40;
const ADMIN_TOKEN = 'operator-of-the-fuzzed-program';

describe.each([
  { profile: 'organization', make: createEnvironment, prepare: organizationGround },
  { profile: 'project', make: createProjectEnvironment, prepare: projectGround },
] as const)('requests made from the OpenAPI document of the $profile profile', ({ make, prepare }) => {
  let environment: TestEnvironment;
  let mailServer: MailServer;
  let handlers: HandlerServer;
  let service: ServiceProcess;
  let document: OpenApi;

  beforeAll(async () => {
    [environment, mailServer, handlers] = await Promise.all([
      make(),
      MailServer.start(),
      HandlerServer.start(),
    ]);
    await environment.database.query(
      'CREATE TABLE public.orders (id uuid, org_id text, project_id text, status text)',
    );
    const variables = { ...environment.variables };
    Reflect.deleteProperty(variables, 'SERVICE_FUNCTIONS__DIR');
    service = await ServiceProcess.start({
      ...variables,
      ...handlers.variables,
      ...mailServer.variables,
      SERVICE_ADMIN__TOKEN: ADMIN_TOKEN,
      SERVICE_SERVER__TRUST_PROXY: '1',
      SERVICE_LOG__LEVEL: 'info',
      SERVICE_LOG__FORMAT: 'json',
    });
    document = (await new Client(service.url ?? '').get<OpenApi>('/openapi.json')).body;
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await mailServer.down();
    await environment.dispose();
  });

  it(`are answered as the document says, ${REQUESTS} of them`, async () => {
    const url = service.url ?? '';
    const operations = operationsOf(document);
    const [answers, accepted] = [new Answers(document), new AcceptedRequests(document)];
    const faults = new Map<string, string>();
    const succeeded = new Set<string>();
    let arbitrary: fc.Arbitrary<FuzzRequest> | null = null;
    let age = 0;
    for (let index = 0; index < REQUESTS; index += 1) {
      if (arbitrary === null || age >= REQUESTS_OF_A_GROUND) {
        const ground: Ground = await prepare(url, mailServer, ADMIN_TOKEN);
        arbitrary = fc.oneof(
          ...operations.map((operation: Operation) =>
            requestsOf(operation, ground, (schema) => resolved(document, schema)),
          ),
        );
        age = 0;
      }
      age += 1;
      const [request] = fc.sample(arbitrary, { seed: SEED * 1_000_003 + index * 7_919, numRuns: 1 });
      if (request === undefined) throw new Error('nothing was made');
      const { operation, parts } = request;
      const bytes = bytesOf(request);
      const answer = await sendRaw(url, bytes);
      const isAccepted = answer.status < 300;
      const found = parts.isRouted
        ? answers.faultsOf(answer, operation)
        : answers.faultsOfAny(answer, parts.method);
      if (parts.isRouted && isAccepted) found.push(...accepted.faultsOf(operation, parts));
      if (parts.isRouted && isAccepted) succeeded.add(operation.name);
      if (isAccepted && ENDINGS.includes(operation.name)) arbitrary = null;
      for (const fault of found) {
        const key = `${operation.name}: ${fault}`;
        const text = bytes.toString('latin1');
        if (!faults.has(key))
          faults.set(key, `request ${index}, fault ${request.fault ?? 'none'}\n${text.slice(0, 1_500)}`);
      }
    }
    const shown = [...faults]
      .slice(0, MAX_SHOWN)
      .map(([fault, text]) => `${fault}\n  ${text.replaceAll('\n', '\n  ')}`);
    if (faults.size > 0)
      throw new Error(`${faults.size} faults with TEST_FUZZ_SEED=${SEED}\n\n${shown.join('\n\n')}`);
    // Requests that are all refused would find little: most operations have to succeed at least once.
    expect(succeeded.size).toBeGreaterThan(operations.length * 0.7);
  }, 1_800_000);
});
