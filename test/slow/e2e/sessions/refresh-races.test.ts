import { refresh, setDisabled, signIn } from '../../../support/accounts.js';
import type { TokenAnswer } from '../../../support/accounts.js';
import { Client, PASSWORD, signUp } from '../../../support/client.js';
import type { Answer, SignedUp } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { IS_EXHAUSTIVE } from '../../support/exhaustive.js';
import { ServiceInProcess } from '../../../support/service-in-process.js';

const ROUNDS = IS_EXHAUSTIVE ? 200 : 60;
const LANES = 4;
const LIMIT_MS = 120_000;

let environment: TestEnvironment;
let service: ServiceInProcess;
let anonymous: Client;

beforeAll(async () => {
  environment = await createEnvironment();
  service = await ServiceInProcess.start(environment.variables);
  anonymous = new Client(service.url);
});

afterAll(async () => {
  await service.stop();
  await environment.dispose();
});

/** Plays the rounds in a few lanes, each with a user of its own. */
async function play(round: (user: SignedUp, nth: number) => Promise<void>): Promise<void> {
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      const user = await signUp(service.url);
      for (let nth = 0; nth < ROUNDS / LANES; nth += 1) await round(user, nth);
    }),
  );
}

/** Whatever was minted while the end of its session was under way refreshes no more. */
async function expectDead(answers: readonly Answer<TokenAnswer>[]): Promise<void> {
  for (const { status, body } of answers) {
    expect([200, 401]).toContain(status);
    if (status === 200) expect((await refresh(anonymous, body.refresh_token)).status).toBe(401);
  }
}

test(
  'once logout has answered, no token minted beside it refreshes',
  async () => {
    await play(async (user, nth) => {
      const { body } = await signIn(anonymous, user.email, PASSWORD);
      const byAccessToken = nth % 2 === 0;
      const caller = byAccessToken ? anonymous.as(body.access_token) : anonymous;
      const [refreshed, ended] = await Promise.all([
        refresh(anonymous, body.refresh_token),
        caller.post('/auth/v1/logout', byAccessToken ? {} : { refresh_token: body.refresh_token }),
      ]);
      expect(ended.status).toBe(204);
      await expectDead([refreshed]);
    });
  },
  LIMIT_MS,
);

test(
  'once a password change has answered, no token of another session refreshes, and its own does',
  async () => {
    await play(async (user, nth) => {
      const [current, wanted] =
        nth % 2 === 0 ? ([PASSWORD, `${PASSWORD}!`] as const) : ([`${PASSWORD}!`, PASSWORD] as const);
      const keeper = await signIn(anonymous, user.email, current);
      const victim = await signIn(anonymous, user.email, current);
      const body = { password: wanted, current_password: current };
      const [refreshed, entered, changed] = await Promise.all([
        refresh(anonymous, victim.body.refresh_token),
        signIn(anonymous, user.email, current),
        anonymous.as(keeper.body.access_token).send('PATCH', '/auth/v1/user', body),
      ]);
      expect(changed.status).toBe(200);
      await expectDead([refreshed, entered]);
      expect((await refresh(anonymous, keeper.body.refresh_token)).status).toBe(200);
    });
  },
  LIMIT_MS,
);

test(
  'once disabling has answered, no token of the account refreshes, nor when it is enabled again',
  async () => {
    await play(async (user) => {
      const { body } = await signIn(anonymous, user.email, PASSWORD);
      const [refreshed, entered] = await Promise.all([
        refresh(anonymous, body.refresh_token),
        signIn(anonymous, user.email, PASSWORD),
        setDisabled(service, user.userId, true),
      ]);
      await setDisabled(service, user.userId, false);
      await expectDead([refreshed, entered]);
    });
  },
  LIMIT_MS,
);

test(
  'deletion beside refresh and sign-in ends in order, and none of them fails',
  async () => {
    for (let round = 0; round < 40; round += 1) {
      const user = await signUp(service.url);
      const [refreshed, entered, deleted] = await Promise.all([
        refresh(anonymous, user.refreshToken),
        signIn(anonymous, user.email, PASSWORD),
        user.client.send('DELETE', '/auth/v1/user', { password: PASSWORD }),
      ]);
      expect(deleted.status).toBe(204);
      await expectDead([refreshed, entered]);
    }
  },
  LIMIT_MS,
);
