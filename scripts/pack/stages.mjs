import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { licensesOf } from '../bundle/licenses.mjs';
import { bundleServicectl } from '../bundle/servicectl.mjs';
import { installedDependencies } from '../bundle/unbundled.mjs';
import { repoRoot } from '../prepare/report.mjs';

const pathOf = (path) => fileURLToPath(new URL(path, repoRoot));
const readJson = (path) => JSON.parse(readFileSync(pathOf(path), 'utf8'));

/** The program with its console and all commands, as the image has it: bundles, and the packages that are not in them. */
export function stageServer(folder) {
  const { version, license, engines, imports } = readJson('package.json');
  const lock = readJson('package-lock.json');
  // The maps lead to sources that the package does not have; a stamp is of the checkout.
  const filter = (source) => !source.endsWith('.map') && !source.endsWith('.stamp');
  for (const path of ['dist', 'console/dist', 'servicectl/servicectl.mjs', 'LICENSE'])
    cpSync(pathOf(path), join(folder, path), { recursive: true, filter });
  for (const file of ['README.md', 'service-server.mjs'])
    cpSync(new URL(`server/${file}`, import.meta.url), join(folder, file));
  const manifest = {
    name: '@service/server',
    version,
    description: 'Identity and background jobs for a platform: one program on PostgreSQL and Redis.',
    license,
    type: 'module',
    engines,
    bin: { 'service-server': 'service-server.mjs', servicectl: 'servicectl/servicectl.mjs' },
    imports,
    dependencies: installedDependencies(lock),
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, 'LICENSES.txt'), licensesOf(productionPackages(lock)));
}

/** The commands of users, without dependencies. */
export async function stageCommand(folder) {
  for (const file of ['package.json', 'README.md', 'LICENSE', 'servicectl.mjs'])
    cpSync(pathOf(`servicectl/${file}`), join(folder, file));
  await bundleServicectl(join(folder, 'dist'));
}

export function stageClient(folder) {
  for (const file of ['package.json', 'README.md', 'LICENSE', 'dist'])
    cpSync(pathOf(`client/${file}`), join(folder, file), {
      recursive: true,
      filter: (source) => !source.endsWith('.stamp'),
    });
}

function productionPackages(lock) {
  return Object.entries(lock.packages).flatMap(([path, { dev, devOptional }]) => {
    const isJoined = path.includes('node_modules/') && !dev && !devOptional;
    return isJoined && existsSync(pathOf(`${path}/package.json`)) ? [path] : [];
  });
}
