import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addNode, makeBareDebian } from './bare-debian.js';
import { registryVariables } from './registry-access.js';
import { copyRepository } from './repository-copy.js';
import { RootSystem } from './root-system.js';
import type { SystemProcess } from './root-system.js';

const BASE = 'docker.io/library/node:22-bookworm-slim';
/** Where the machine that builds has the repository, and the files of what it built. */
const CONTEXT = '/srv/service';
const UNPACKED = '/unpacked';

/** As the image specification of OCI has it. */
interface ImageConfig {
  readonly User: string;
  readonly WorkingDir: string;
  readonly Env: readonly string[];
  readonly Cmd: readonly string[];
}

/** Builds what stands in for the base, which comes from a registry elsewhere: Debian, Node.js, npm and the user node. */
const BUILD_BASE = `
  base=$(buildah from scratch)
  buildah add --quiet "$base" /base / >&2
  buildah run "$base" -- useradd --uid 1000 --user-group --create-home node
  for variable in $BASE_VARIABLES; do buildah config --env "$variable" "$base"; done
  buildah commit --quiet --rm "$base" ${BASE} >&2`;

const BUILD_IMAGE = `
  buildah bud --pull-never --network host --format docker --ulimit "nofile=$(ulimit -Hn):$(ulimit -Hn)" \\
    --tag service:test ${CONTEXT} >&2`;

/** Leaves the files of the image, how it is to be started, and how much more it holds than its base. */
const UNPACK = `
  container=$(buildah from --pull-never localhost/service:test)
  base=$(buildah from --pull-never ${BASE})
  cp -a "$(buildah mount "$container")" ${UNPACKED}
  added=$(( $(du -sk ${UNPACKED} | cut -f1) - $(du -sk "$(buildah mount "$base")" | cut -f1) ))
  buildah inspect --type image localhost/service:test > /image.json
  echo "$added" > /added-kib`;

/** The image of the Dockerfile, really built, unpacked into a system that runs it as a container would. */
export class BuiltImage {
  private constructor(
    private readonly builder: RootSystem,
    private readonly system: RootSystem,
    readonly config: ImageConfig,
    /** What the Dockerfile adds to its base, in KiB on disk. */
    readonly addedKib: number,
  ) {}

  /** Takes a few minutes. */
  static build(): BuiltImage {
    const builder = makeBareDebian();
    try {
      const base = makeBareDebian();
      addNode(base, { node: '22.23.3', npm: '10.9.8' });
      execFileSync('mv', [base.root, join(builder.root, 'base')]);
      copyRepository(join(builder.root, CONTEXT));
      const variables = Object.entries(registryVariables()).map(([name, value]) => `${name}=${value}`);
      writeFileSync(
        join(builder.root, 'build.sh'),
        [
          'set -e',
          `export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=overlay BASE_VARIABLES='${variables.join(' ')}'`,
          'apt-get update -q >&2 && apt-get install -q -y --no-install-recommends buildah >&2',
          BUILD_BASE,
          BUILD_IMAGE,
          UNPACK,
        ].join('\n'),
      );
      const { status, output } = builder.run('exec bash /build.sh');
      if (status !== 0) throw new Error(`the image cannot be built:\n${output}`);
      const read = (file: string): string => readFileSync(join(builder.root, file), 'utf8');
      const config = (JSON.parse(read('image.json')) as { OCIv1: { config: ImageConfig } }).OCIv1.config;
      const system = new RootSystem(join(builder.root, UNPACKED));
      return new BuiltImage(builder, system, config, Number(read('added-kib')));
    } catch (error) {
      builder.dispose();
      throw error;
    }
  }

  has(path: string): boolean {
    return this.system.has(path);
  }

  /** Starts the image's command, or another one, as the image says. */
  start(
    variables: Readonly<Record<string, string>>,
    command: readonly string[] = this.config.Cmd,
  ): SystemProcess {
    const { User, WorkingDir, Env } = this.config;
    const own = Env.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
    return this.system.start(`cd ${WorkingDir} && exec ${command.join(' ')}`, {
      account: User,
      variables: { ...(Object.fromEntries(own) as Record<string, string>), ...variables },
    });
  }

  /** Puts a function where the image's user may read it, as a mounted folder would. */
  addFunction(name: string, source: string): void {
    this.system.run('mkdir -p /functions');
    writeFileSync(join(this.system.root, 'functions', name), source);
  }

  dispose(): void {
    this.builder.dispose();
  }
}
