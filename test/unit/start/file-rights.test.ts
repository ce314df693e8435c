import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedError, ensureGeneratedSecrets } from '../../../src/platform/embedded/index.js';
import { keepOwnersRights } from '../../../src/platform/startup/index.js';

const COMMAND_LINE = new URL('../../../dist/servicectl/src/program.js', import.meta.url).href;
/** Prints the mask that the files of a command get. */
const PRINT_MASK = `
  const { runTypedCommand } = await import('${COMMAND_LINE}');
  process.argv = ['node', 'servicectl', '--version'];
  await runTypedCommand(() => undefined);
  process.stdout.write(process.umask().toString(8));`;

describe('a data folder that is none', () => {
  it('is refused in one sentence that names it and the setting', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rights-'));
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(() => ensureGeneratedSecrets(file)).toThrow(EmbeddedError);
    expect(() => ensureGeneratedSecrets(file)).toThrow(
      `; let ${file} be a folder, set server.data_dir (SERVICE_SERVER__DATA_DIR) to a folder that it can write`,
    );
    rmSync(folder, { recursive: true });
  });
});

describe('the rights to files of the program', () => {
  let folder: string;
  let mask: number;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rights-'));
    mask = process.umask(0o022);
  });

  afterEach(() => {
    process.umask(mask);
    rmSync(folder, { recursive: true });
  });

  it.each([0o777, 0o700, 0o277, 0o077, 0o022, 0])('leave the owner all of them under umask %o', (shells) => {
    process.umask(shells);
    keepOwnersRights();
    ensureGeneratedSecrets(folder);
    writeFileSync(join(folder, 'file'), '', { mode: 0o666 });
    mkdirSync(join(folder, 'made'));
    const modeOf = (...path: string[]): number => statSync(join(folder, ...path)).mode & 0o777;
    expect(['data_key', 'admin_token'].map((name) => modeOf('secrets', name))).toEqual([0o600, 0o600]);
    expect([modeOf('secrets'), modeOf('file'), modeOf('made')]).toEqual([
      0o700,
      0o666 & ~(shells & 0o077),
      0o777 & ~(shells & 0o077),
    ]);
  });

  it('leave the owner all of them in the command line too', () => {
    process.umask(0o777);
    const args = ['--input-type=module', '--eval', PRINT_MASK];
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toMatch(/^servicectl [\d.]+\n77$/);
  });
});
