import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { availableParallelism } from 'node:os';
import argon2 from 'argon2';
import { announce, settings } from './settings.mjs';

/** The computations that limit sign-in and refresh, alone. */
const PASSWORD = 'correct horse battery';
const TOKEN = Buffer.alloc(600, 'a');
const hash = await argon2.hash(PASSWORD, { type: argon2.argon2id, ...settings.argon2 });
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

const signInThread = () => void sign('sha256', TOKEN, privateKey);
/** With a callback, it runs on the threads of libuv. */
const signOutsideThread = () =>
  new Promise((resolve, reject) => {
    sign('sha256', TOKEN, privateKey, (error) => (error === null ? resolve() : reject(error)));
  });

const CORES = availableParallelism();
const COMPUTATIONS = {
  '/argon2id': { lanes: CORES, compute: () => argon2.verify(hash, PASSWORD) },
  '/rs256': { lanes: 1, compute: signInThread },
  '/rs256-on-all-cores': { lanes: CORES, compute: signOutsideThread },
};

async function perSecond({ lanes, compute }, amount) {
  let left = amount;
  const beganAt = performance.now();
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      await compute();
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return amount / ((performance.now() - beganAt) / 1_000);
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  void perSecond(COMPUTATIONS[pathname], Number(searchParams.get('amount'))).then((figure) =>
    response.end(JSON.stringify({ per_second: figure })),
  );
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
announce(`http://127.0.0.1:${server.address().port}`, async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
