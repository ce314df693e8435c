import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommand } from './command.mjs';

/**
 * Unpacks Debian packages, with the libraries that this system lacks, into `folder`, whose `bin` then has the
 * programs asked for. apt keeps all its state under there meanwhile, so it needs no root and changes nothing of
 * the system; it only reads which packages are installed.
 * @param {string} folder
 * @param {{ name: string, packages: string[], paths: string[], isOptional?: boolean }[]} programs `packages`: of
 *   which the first that there is will do; `paths`: where they may have the program; `isOptional`: where there is none
 *   of them, `<name>.missing` says so in place of the program
 * @returns {Promise<string | null>} what went wrong, null when nothing did
 */
export async function unpackFromApt(folder, programs) {
  const work = `${folder.replace(/\/$/, '')}.new`;
  rmSync(work, { recursive: true, force: true });
  const apt = join(work, 'apt');
  mkdirSync(join(apt, 'lists/partial'), { recursive: true });
  mkdirSync(join(apt, 'cache/archives/partial'), { recursive: true });
  writeFileSync(join(apt, 'apt.conf'), aptConfiguration(apt));
  const options = ['-q', '-c', join(apt, 'apt.conf')];
  const run = (args) =>
    runCommand('apt-get', [...options, ...args], {
      quiet: true,
      env: { LC_ALL: 'C' },
      waitsFor: `running apt-get ${args.join(' ')}`,
    });

  const update = await run(['update']);
  if (!update.ok) return `apt-get update failed:\n${update.output}`;
  const missing = new Set();
  for (const { name, packages, isOptional = false } of programs) {
    const problem = await download(run, packages);
    if (problem !== null && !isOptional) return problem;
    if (problem !== null) missing.add(name);
  }
  const archives = join(apt, 'cache/archives');
  for (const archive of readdirSync(archives).filter((name) => name.endsWith('.deb'))) {
    const unpack = await runCommand('dpkg-deb', ['-x', join(archives, archive), work], { quiet: true });
    if (!unpack.ok) return `dpkg-deb could not unpack ${archive}:\n${unpack.output}`;
  }
  rmSync(apt, { recursive: true, force: true });

  const files = readdirSync(work, { recursive: true });
  mkdirSync(join(work, 'bin'), { recursive: true });
  for (const { name, packages, paths } of programs) {
    if (missing.has(name)) {
      writeFileSync(join(work, 'bin', `${name}.missing`), '');
      continue;
    }
    const path = paths.find((each) => files.includes(each));
    if (path === undefined) return `The packages ${packages.join(', ')} hold no ${name}.`;
    writeWrapper(work, name, path, files);
  }
  rmSync(folder, { recursive: true, force: true });
  renameSync(work, folder);
  return null;
}

async function download(run, packages) {
  let problem = '';
  for (const name of packages) {
    const { ok, output } = await run(['install', '--download-only', name]);
    if (ok) return null;
    problem += `apt-get found no ${name}:\n${output}`;
  }
  return problem;
}

/** The wrapper finds its folder by its own path, so the clone may be moved. */
function writeWrapper(work, name, path, files) {
  const libraries = new Set(files.filter((file) => /\.so(\.\d+)*$/.test(file)).map((file) => dirname(file)));
  const searchPath = [...libraries].map((library) => `$here/${library}`).join(':');
  const wrapper = join(work, 'bin', name);
  mkdirSync(dirname(wrapper), { recursive: true });
  writeFileSync(
    wrapper,
    `#!/bin/sh
here=$(cd "$(dirname "$0")/.." && pwd)
LD_LIBRARY_PATH="${searchPath}\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export LD_LIBRARY_PATH
exec "$here/${path}" "$@"
`,
  );
  chmodSync(wrapper, 0o755);
}

function aptConfiguration(apt) {
  return `Dir::State::lists "${apt}/lists";
Dir::State::extended_states "${apt}/extended_states";
Dir::Cache "${apt}/cache";
Dir::Log "${apt}/log";
Debug::NoLocking "1";
APT::Sandbox::User "root";
APT::Install-Recommends "0";
APT::Get::Assume-Yes "1";
Acquire::Languages "none";
// What a system hangs on to apt works on the system's own state, and may need root.
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Pre-Install-Pkgs;
#clear DPkg::Pre-Invoke;
#clear DPkg::Post-Invoke;
`;
}
