import { execFileSync, spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchNodeBuild, fetchNpm } from './node-build.js';

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
const CACHED_ROOT = join(REPOSITORY, '.cache/bare-debian');
const RELEASE = 'bookworm';
const MIRROR = 'http://deb.debian.org/debian';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** The account that is not root. */
const ORDINARY_ID = 1000;

/** Why no root file system can be made here; null where one can. */
export function whyNoBareDebian(): string | null {
  if (process.platform !== 'linux') return 'it takes Linux';
  if (process.getuid?.() !== 0) return 'it takes root, to make a root file system and to enter it';
  for (const program of ['unshare', 'chroot', 'debootstrap'])
    if (spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0) return `there is no ${program}`;
  if (!existsSync(KEYRING) && !existsSync(CACHED_ROOT)) return `there is no ${KEYRING}`;
  const { status, stderr } = spawnSync('unshare', [...NAMESPACES, 'true'], { encoding: 'utf8' });
  return status === 0 ? null : `namespaces are not allowed: ${stderr.trim()}`;
}

const NAMESPACES = ['--mount', '--pid', '--fork', '--kill-child'];

/** A minimal Debian without compiler and Python, made once and kept for the next run. */
export function bareDebianRoot(): string {
  if (existsSync(CACHED_ROOT)) return CACHED_ROOT;
  const work = `${CACHED_ROOT}.${process.pid}`;
  const library = join(dirname(whereIs('debootstrap')), '../usr/share/debootstrap');
  try {
    execFileSync('debootstrap', ['--variant=minbase', `--keyring=${KEYRING}`, RELEASE, work, MIRROR], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...(existsSync(library) ? { DEBOOTSTRAP_DIR: library } : {}) },
    });
    // Another run may have been faster.
    if (!existsSync(CACHED_ROOT)) execFileSync('mv', ['-T', work, CACHED_ROOT]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return CACHED_ROOT;
}

function whereIs(program: string): string {
  return execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();
}

export interface BareDebianOptions {
  readonly node: string;
  /** The npm that comes with this release of Node.js. */
  readonly npm: string;
}

/** A machine with Debian, Node.js and npm, in a folder of its own; it shares this machine's network. */
export class BareDebian {
  private constructor(private readonly root: string) {}

  static make({ node, npm }: BareDebianOptions): BareDebian {
    const root = mkdtempSync(join(tmpdir(), 'service-bare-debian-'));
    execFileSync('cp', ['-a', `${bareDebianRoot()}/.`, root]);
    const machine = new BareDebian(root);
    machine.run(`useradd --uid ${ORDINARY_ID} --user-group --create-home ordinary`);
    cpSync(join(fetchNodeBuild(node), 'bin/node'), join(root, 'usr/local/bin/node'));
    cpSync(fetchNpm(npm), join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
    for (const file of ['/etc/resolv.conf', '/etc/hosts'])
      if (existsSync(file)) cpSync(file, join(root, file), { dereference: true });
    const authorities = certificateAuthorities();
    if (authorities !== null) {
      mkdirSync(join(root, dirname(CERTIFICATES)), { recursive: true });
      cpSync(authorities, join(root, CERTIFICATES), { dereference: true });
    }
    return machine;
  }

  /** Copies the repository as a clone has it: what git tracks or is about to, and nothing that it ignores. */
  copyRepository(folder: string, { asRoot }: { asRoot: boolean }): void {
    const target = join(this.root, folder);
    mkdirSync(target, { recursive: true });
    const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: REPOSITORY,
    });
    execFileSync('xargs', ['-0', 'cp', '--parents', '-t', target], { cwd: REPOSITORY, input: files });
    if (!asRoot) execFileSync('chown', ['-R', `${ORDINARY_ID}:${ORDINARY_ID}`, target]);
  }

  has(path: string): boolean {
    return existsSync(join(this.root, path));
  }

  /** Runs a shell command there to its end, as root. */
  run(command: string): { status: number | null; output: string } {
    const [file, args, options] = this.command(command, true, {});
    const { status, stdout, stderr } = spawnSync(file, args, { ...options, encoding: 'utf8' });
    return { status, output: stdout + stderr };
  }

  start(
    command: string,
    { asRoot, variables }: { asRoot: boolean; variables: Record<string, string> },
  ): BareProcess {
    const [file, args, options] = this.command(command, asRoot, variables);
    return new BareProcess(spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] }));
  }

  dispose(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  /** All mounts are in a namespace of their own and end with the command. */
  private command(
    command: string,
    asRoot: boolean,
    variables: Record<string, string>,
  ): [string, string[], { env: Record<string, string> }] {
    const id = asRoot ? 0 : ORDINARY_ID;
    const enter = `mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" &&
      exec chroot --userspec=${id}:${id} "$1" sh -c "$2"`;
    return [
      'unshare',
      [...NAMESPACES, 'sh', '-c', enter, 'sh', this.root, command],
      {
        env: {
          PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
          HOME: asRoot ? '/root' : '/home/ordinary',
          ...registrySettings(),
          ...variables,
        },
      },
    ];
  }
}

/** A command on a bare machine, and all that it started. */
export class BareProcess {
  private output = '';

  constructor(private readonly child: ChildProcess) {
    const keep = (chunk: Buffer): void => {
      this.output += chunk.toString('utf8');
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
  }

  get log(): string {
    return this.output;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Ends the command as Ctrl-C's caller or an orchestrator does, and resolves to its exit code. */
  async stop(): Promise<number | null> {
    if (this.hasEnded) return this.child.exitCode;
    const exited = once(this.child, 'exit');
    // The first process of the namespace is the command itself; the one that made the namespace only waits for it.
    const [first = ''] = readFileSync(
      `/proc/${this.child.pid}/task/${this.child.pid}/children`,
      'utf8',
    ).split(' ');
    process.kill(Number(first), 'SIGTERM');
    await exited;
    return this.child.exitCode;
  }

  /** Ends everything at once. */
  kill(): void {
    this.child.kill('SIGKILL');
  }
}

/** How this machine reaches the registry, for one that has no settings yet. */
function registrySettings(): Record<string, string> {
  const proxies = Object.entries(process.env).filter(([name]) => /^(?:https?|no)_proxy$/i.test(name));
  return {
    ...(Object.fromEntries(proxies) as Record<string, string>),
    npm_config_registry: npmSetting('registry') ?? 'https://registry.npmjs.org/',
    ...(certificateAuthorities() === null
      ? {}
      : { NODE_EXTRA_CA_CERTS: CERTIFICATES, npm_config_cafile: CERTIFICATES }),
  };
}

/** Authorities that this machine trusts besides those of Node.js. */
function certificateAuthorities(): string | null {
  return process.env.NODE_EXTRA_CA_CERTS ?? npmSetting('cafile');
}

function npmSetting(name: string): string | null {
  const value = execFileSync('npm', ['config', 'get', name], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
  return value === 'null' || value === 'undefined' ? null : value;
}
