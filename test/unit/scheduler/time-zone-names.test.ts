import { isTimeZone } from '../../../src/scheduler/cron/index.js';

it.each(
  `Europe/Berlin Europe/Kyiv Europe/Kiev Asia/Calcutta Asia/Kolkata America/Argentina/ComodRivadavia US/Pacific
   Etc/GMT+5 Etc/UCT EST MST HST CET MET WET EET EST5EDT PST8PDT UTC GMT GMT0 Zulu PRC ROK NZ-CHAT W-SU GB-Eire
   Brazil/East Chile/EasterIsland Mexico/General Canada/Yukon Antarctica/Troll europe/berlin utc`.split(
    /\s+/,
  ),
)('%s is a name of the tz database', (name) => {
  expect(isTimeZone(name)).toBe(true);
});

it.each(
  `BST IST AST CST PST JST ACT AET AGT ART BET CAT CNT CTT EAT ECT IET MIT NET NST PLT PNT PRT SST VST ist SystemV/PST8
   +01:00 UTC+1 GMT+5 Factory localtime posixrules Etc/Unknown Mars/Base`.split(/\s+/),
)('%s is none', (name) => {
  expect(isTimeZone(name)).toBe(false);
});
