import { SignJWT, decodeJwt } from 'jose';
import type { JWK } from 'jose';
import { createPublicKey, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { ERROR_CODES } from '../../src/http/index.js';
import { runTokenKeyAssociatedData, signingKeyAssociatedData } from '../../src/identity/index.js';
import { openSigningKey } from '../../src/identity/signing-keys/signing-key-pair.js';
import { KeyRing } from '../../src/platform/crypto/index.js';
import { Client, PASSWORD, signUpOwner } from '../support/client.js';
import { createEnvironment } from '../support/environment.js';
import type { TestEnvironment } from '../support/environment.js';
import { sendRaw } from '../support/raw-http.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';
import { malformedBodies } from './malformed/bodies.js';
import type { Ground, MalformedRequest } from './malformed/case.js';
import { malformedTokens } from './malformed/tokens.js';
import { malformedTransport } from './malformed/transport.js';
import { malformedValues } from './malformed/values.js';

interface ErrorAnswer {
  error: { code: string; message: string; status: number; details?: { path: string; message: string }[] };
}

const FIELDS = ['code', 'message', 'status', 'hint', 'details'];
/** What a log line may hold of a token is nothing: the last part of one of ours is 342 characters of base64url. */
const SIGNATURE = /[\w-]{300,}/;

interface OpenedKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

/** The keys that the program signs with, as only its data key opens them: for users, and for runs. */
async function signingKeysOf({ database, variables }: TestEnvironment): Promise<[OpenedKey, OpenedKey]> {
  const [row] = await database.query<{ kid: string; runKid: string; sealed: Buffer; sealedForRuns: Buffer }>(
    `SELECT kid, run_public_jwk ->> 'kid' AS "runKid", sealed_private_key AS sealed,
            sealed_run_private_key AS "sealedForRuns"
     FROM signing_keys WHERE state = 'active'`,
  );
  if (row === undefined) throw new Error('no signing key is stored');
  const { kid, runKid, sealed, sealedForRuns } = row;
  const ring = new KeyRing([variables.SERVICE_IDENTITY__DATA_KEY ?? '']);
  return [
    { kid, privateKey: openSigningKey(ring, sealed, signingKeyAssociatedData(kid)) },
    { kid: runKid, privateKey: openSigningKey(ring, sealedForRuns, runTokenKeyAssociatedData(kid)) },
  ];
}

async function prepareGround(environment: TestEnvironment, url: string): Promise<Ground> {
  const { accessToken, orgId, slug, client } = await signUpOwner(url);
  const registered = await client.post('/jobs/v1/jobs', {
    jobs: [{ id: 'echo', name: 'Echo', handler: 'echo' }],
  });
  if (registered.status !== 200) throw new Error(`the manifest was refused with ${registered.status}`);
  const { body } = await client.get<{ keys: JWK[] }>('/auth/v1/keys');
  const publicJwk = body.keys[0] ?? {};
  const [{ kid, privateKey }, runKey] = await signingKeysOf(environment);
  return {
    accessToken,
    orgId,
    slug,
    kid,
    jobId: 'echo',
    marker: `marker-${randomBytes(8).toString('hex')}`,
    goodClaims: decodeJwt(accessToken),
    publicJwk: { ...publicJwk },
    publicPem: createPublicKey({ key: publicJwk, format: 'jwk' })
      .export({ type: 'spki', format: 'pem' })
      .toString(),
    sign: (claims, header = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid, ...header })
        .sign(privateKey),
    signAsRun: (claims, header = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: runKey.kid, ...header })
        .sign(runKey.privateKey),
  };
}

describe('malformed requests', () => {
  let environment: TestEnvironment;
  let service: ServiceProcess;
  let url: string;
  let ground: Ground;

  beforeAll(async () => {
    environment = await createEnvironment();
    await environment.deploy('echo', 'export default async (request) => Response.json(await request.json())');
    service = await ServiceProcess.start({
      ...environment.variables,
      SERVICE_LOG__LEVEL: 'debug',
      SERVICE_LOG__FORMAT: 'json',
    });
    url = service.url ?? '';
    ground = await prepareGround(environment, url);
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  async function expectRefusal({
    status,
    code,
    paths,
    allow,
    ...malformed
  }: MalformedRequest): Promise<void> {
    const answer = await sendRaw(url, await malformed.request(ground));
    expect({ status: answer.status, body: answer.text }).toMatchObject({
      status,
      body: expect.stringContaining(`"${code}"`),
    });
    expect(answer.headers['content-type']).toMatch(/^application\/json(?:;|$)/);
    expect(answer.headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { error, ...besides } = JSON.parse(answer.text) as ErrorAnswer;
    expect(besides).toEqual({});
    expect(error).toMatchObject({ code, status, message: expect.stringMatching(/\S/) });
    expect(ERROR_CODES).toHaveProperty(code, expect.objectContaining({ status }));
    expect(Object.keys(error).filter((field) => !FIELDS.includes(field))).toEqual([]);
    expect(error.details?.map(({ path }) => path).sort()).toEqual(
      paths === undefined ? undefined : [...paths].sort(),
    );
    for (const { message } of error.details ?? [])
      expect(message).toMatch(/^(?:must|is|has) |^…and \d+ more$/);
    if (allow !== undefined) expect(answer.headers.allow).toBe(allow);
  }

  it('stand beside a request in the same words that is good', async () => {
    const good = new Client(url).as(await ground.sign({ ...ground.goodClaims }));
    expect((await good.in(ground.orgId).get('/auth/v1/permissions')).status).toBe(200);
  });

  it.each(malformedTransport)('are refused: $title', expectRefusal);
  it.each(malformedTokens)('are refused: $title', expectRefusal);
  it.each(malformedBodies)('are refused: $title', expectRefusal);
  it.each(malformedValues)('are refused: $title', expectRefusal);

  it('leave a program that still answers, and a log without errors', async () => {
    expect((await new Client(url).get('/health/live')).status).toBe(200);
    // The log is complete when the line of this request is in it.
    const requestId = `last-${randomBytes(8).toString('hex')}`;
    await new Client(url, { 'x-request-id': requestId }).get('/auth/v1/keys');
    await until(() => service.log.includes(requestId));
    const lines = service.log.split('\n').filter((line) => line.startsWith('{'));
    expect(lines.length).toBeGreaterThan(malformedBodies.length + malformedValues.length);
    const failures = lines.filter((line) =>
      /^(?:error|fatal)$/.test((JSON.parse(line) as { level: string }).level),
    );
    expect(failures).toEqual([]);
  });

  it('leave nothing of what they carried in the log', () => {
    const { log } = service;
    const inputs = [
      ground.marker,
      ground.accessToken,
      PASSWORD,
      'seven77',
      'longenough',
      'Bcc',
      "' OR ",
      'pppppp',
    ];
    expect(inputs.filter((input) => log.includes(input))).toEqual([]);
    expect(log).not.toMatch(/eyJ[\w-]{10,}/);
    expect(log).not.toMatch(SIGNATURE);
    expect(log).not.toMatch(/etc(?:\/|%2f)passwd/i);
  });
});
