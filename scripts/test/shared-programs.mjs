import { spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { repoRoot } from '../prepare/report.mjs';

const PATIENT_DEADLINES = new URL('test/support/patient-deadlines.json', repoRoot);
const PROGRAM = fileURLToPath(new URL('dist/src/main.js', repoRoot));
/** Each has a database of Redis, so that neither receives the other's wake-ups. */
const REDIS_DATABASES = { organization: 1, project: 2 };
/** Characters of output among which the address is, in the banner. */
const MAX_BANNER = 100_000;

/**
 * One program for each profile, with all roles, the default settings and the deadlines of the gate
 * (test/support/environment.ts), which all suites of a run share that need no more than a tenant of their own. A program
 * starts when a suite first asks for it.
 */
export class SharedPrograms {
  #children = [];
  #started = new Map();
  #server = createServer((request, response) => void this.#answer(request, response));

  /**
   * @param {object} servers
   * @param {string} servers.redisUrl
   * @param {(name: string) => Promise<string>} servers.createDatabase makes a migrated database, and returns its URL
   * @param {string} servers.folder for the files of the programs
   * @param {string} servers.journal for their logs, and the secrets that these must not hold
   */
  constructor(servers) {
    this.servers = servers;
  }

  /** @returns the URL at which suites ask: GET /organization or /project, see test/support/shared-program.ts */
  async listen() {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  async stop() {
    this.#server.close();
    this.#server.closeAllConnections();
    const running = this.#children.filter((child) => child.exitCode === null && child.signalCode === null);
    await Promise.all(
      running.map(async (child) => {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }),
    );
  }

  async #answer(request, response) {
    const profile = request.url.slice(1);
    if (!this.#started.has(profile)) this.#started.set(profile, this.#start(profile));
    try {
      // A suite asks minutes after another one: by then a kept connection may just be closing.
      response.setHeader('Connection', 'close');
      response.end(JSON.stringify(await this.#started.get(profile)));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  }

  async #start(profile) {
    const { redisUrl, createDatabase, folder, journal } = this.servers;
    const files = join(folder, profile);
    await mkdir(files);
    const databaseUrl = await createDatabase(`shared_${profile}`);
    const adminToken = randomBytes(16).toString('hex');
    const dataKey = randomBytes(32).toString('base64');
    await writeFile(
      join(journal, `${profile}.secrets`),
      `${JSON.stringify(adminToken)}\n${JSON.stringify(dataKey)}\n`,
    );
    const url = await this.#spawn(join(journal, `${profile}.log`), {
      SERVICE_DATABASE__URL: databaseUrl,
      SERVICE_REDIS__URL: `${redisUrl}/${REDIS_DATABASES[profile]}`,
      SERVICE_SERVER__HOST: '127.0.0.1',
      SERVICE_SERVER__PORT: '0',
      SERVICE_IDENTITY__DATA_KEY: dataKey,
      SERVICE_IDENTITY__ARGON2_MEMORY_KIB: '8192',
      SERVICE_IDENTITY__ARGON2_TIME_COST: '1',
      SERVICE_ADMIN__TOKEN: adminToken,
      SERVICE_FUNCTIONS__DIR: files,
      ...JSON.parse(await readFile(PATIENT_DEADLINES, 'utf8')),
      ...(profile === 'project' ? projectVariables() : {}),
    });
    return { url, databaseUrl, adminToken, functionsDir: files };
  }

  async #spawn(log, variables) {
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH, HOME, SERVICE_LOG__LEVEL: 'debug', ...variables };
    const child = spawn(process.execPath, [PROGRAM], {
      env,
      cwd: tmpdir(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#children.push(child);
    let output = '';
    return await new Promise((resolve, reject) => {
      const keep = (chunk) => {
        appendFileSync(log, chunk);
        output += output.length < MAX_BANNER ? chunk : '';
        const [, url] = /^ {2}(?:API|Address)\s+(\S+)$/m.exec(output) ?? [];
        if (url !== undefined) resolve(url);
      };
      child.stdout.on('data', keep);
      child.stderr.on('data', keep);
      child.once('exit', () => reject(new Error(`the shared program ended:\n${output}`)));
    });
  }
}

function projectVariables() {
  const { privateKey } = generateKeyPairSync('ed25519');
  return {
    SERVICE_IDENTITY__PROFILE: 'project',
    SERVICE_AUTH__JWT_PEM: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    SERVICE_AUTH__PROJECT_DOMAIN: 'projects.test',
    // The mail servers of tests are on loopback.
    SERVICE_AUTH__PRIVATE_MAIL_HOSTS: 'true',
  };
}
