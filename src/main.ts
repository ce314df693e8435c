import { EXIT_CONFIG, keepOwnersRights, restrictionOfNode } from './platform/startup/index.js';

keepOwnersRights();
const restriction = restrictionOfNode();
// Only now, since the packages that are loaded by it would fail in words of their own.
if (restriction === null) await import('./start.js');
else {
  process.stderr.write(`The program cannot start: ${restriction}\n`);
  process.exitCode = EXIT_CONFIG;
}
