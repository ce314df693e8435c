import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { searchFor } from './secret-search.js';

/**
 * Jest reporter that looks, at the end of a run, for every secret that the tests made or were given in the logs of
 * the programs that they ran, all of them at level `debug`. A find fails the run, like a file that does not load.
 */
export default class LogCheckReporter {
  async onRunComplete(_contexts, results) {
    const { TEST_JOURNAL: folder } = process.env;
    if (folder === undefined) return;
    const { problems, summary } = await check(folder);
    if (summary !== null) process.stdout.write(`${summary}\n`);
    if (problems.length === 0) return;
    results.numRuntimeErrorTestSuites += 1;
    this.error = new Error(`secrets stand in the log:\n${problems.slice(0, 20).join('\n')}`);
    process.stdout.write(`${this.error.message}\n`);
  }

  getLastError() {
    return this.error;
  }
}

async function check(folder) {
  const names = await readdir(folder);
  const read = (name) => readFile(join(folder, name), 'utf8');
  const secrets = new Set();
  for (const name of names.filter((each) => each.endsWith('.secrets'))) {
    for (const line of (await read(name)).split('\n')) if (line !== '') secrets.add(JSON.parse(line));
  }
  const logs = names.filter((each) => each.endsWith('.log'));
  const secretsIn = searchFor(secrets);
  let characters = 0;
  const problems = [];
  for (const name of logs) {
    const log = await read(name);
    characters += log.length;
    for (const secret of secretsIn(log)) {
      const isIn = searchFor([secret]);
      const line = log.split('\n').find((text) => isIn(text).length > 0);
      problems.push(`${secret.slice(0, 12)}… in: ${line}`);
    }
  }
  const searched = `${secrets.size} secrets, ${logs.length} logs of ${characters} characters`;
  return { problems, summary: logs.length === 0 ? null : `Searched the logs for secrets: ${searched}.` };
}
