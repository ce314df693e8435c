import { backlogScenario } from './backlog.mjs';
import { followersScenario } from './followers.mjs';
import { growthScenario } from './growth.mjs';
import { herdScenario } from './herd.mjs';
import { identityScenario } from './identity.mjs';
import { jobsScenario } from './jobs.mjs';
import { limitsScenario } from './limits.mjs';
import { overviewScenario } from './overview.mjs';
import { pressureScenario } from './pressure.mjs';
import { requestsScenario } from './requests.mjs';
import { soakScenario } from './soak.mjs';

/** `whole` is the work of one round; `quick` only checks that the scenario works. */
export const SCENARIOS = {
  jobs: {
    run: jobsScenario,
    isDefault: true,
    whole: {
      jobs: 2_000,
      warmUps: 1_000,
      trickles: [
        { jobs: 100, perSecond: 20 },
        { jobs: 200, perSecond: 50 },
      ],
    },
    quick: { jobs: 200, warmUps: 50, trickles: [{ jobs: 20, perSecond: 20 }] },
  },
  backlog: {
    run: backlogScenario,
    isDefault: true,
    whole: { few: 2_000, many: 100_000 },
    quick: { few: 400, many: 2_000 },
  },
  limits: {
    run: limitsScenario,
    isDefault: true,
    whole: { jobs: 2_000, warmUps: 1_000 },
    quick: { jobs: 200, warmUps: 50 },
  },
  requests: {
    run: requestsScenario,
    isDefault: true,
    whole: { requests: 10_000, warmUps: 5_000 },
    quick: { requests: 400, warmUps: 100 },
  },
  identity: {
    run: identityScenario,
    isDefault: true,
    whole: { amounts: { signIn: 40, others: 40, whoAmI: 2_000, warm: 4_000, refresh: 800 } },
    quick: { amounts: { signIn: 8, others: 8, whoAmI: 200, warm: 200, refresh: 160 } },
  },
  herd: {
    run: herdScenario,
    isDefault: true,
    whole: { schedules: 10_000, tenants: 500 },
    quick: { schedules: 1_000, tenants: 50 },
  },
  followers: {
    run: followersScenario,
    isDefault: true,
    whole: { requests: 20_000, warmUps: 5_000, followers: 500, consoles: 50 },
    quick: { requests: 400, warmUps: 100, followers: 50, consoles: 5 },
  },
  overview: {
    run: overviewScenario,
    isDefault: false,
    whole: { runs: 10_000_000, days: 30, repeats: 50 },
    quick: { runs: 20_000, days: 30, repeats: 10 },
  },
  growth: {
    run: growthScenario,
    isDefault: false,
    whole: {
      repeats: 30,
      small: { users: 1_000, organizations: 100, runs: 1_000 },
      large: { users: 1_000_000, organizations: 100_000, runs: 10_000_000 },
    },
    quick: {
      repeats: 10,
      small: { users: 1_000, organizations: 100, runs: 1_000 },
      large: { users: 10_000, organizations: 1_000, runs: 20_000 },
    },
  },
  pressure: {
    run: pressureScenario,
    isDefault: false,
    whole: { quietSeconds: 60, pressureSeconds: 600 },
    quick: { quietSeconds: 3, pressureSeconds: 10 },
  },
  soak: {
    run: soakScenario,
    isDefault: false,
    whole: { parts: 6, secondsEach: 600, jobs: 2_000 },
    quick: { parts: 2, secondsEach: 10, jobs: 500 },
  },
};
