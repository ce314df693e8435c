// npm run drill -- NAME [--write]. What an operator does, on real processes under load; a table says what was lost.
import { say } from './prepare/report.mjs';

const NAMES = ['signing-keys', 'data-key', 'scale', 'redis'];
const SECONDS = '60';

const args = process.argv.slice(2);
const [name] = args.filter((argument) => !argument.startsWith('--'));
if (!NAMES.includes(name)) {
  say(`Name a drill: npm run drill -- NAME [--write]\nThere are: ${NAMES.join(', ')}`);
  process.exit(2);
}
process.env.DRILL = name;
process.env.DRILL_SECONDS ??= SECONDS;
if (args.includes('--write')) process.env.DRILL_WRITE = '1';
process.argv.splice(2, Infinity, 'test/slow/drills/drill.test.ts');
await import('./test.mjs');
