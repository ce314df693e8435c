import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'smol-toml';
import { loadConfig, renderExampleConfig } from '../../../src/platform/config/index.js';
import type { Config } from '../../../src/platform/config/index.js';
import { settings } from '../../../src/platform/config/declaration.js';
import { DATA_KEY, folderWith, load } from './loading.js';

const file = new URL('../../../service.example.toml', import.meta.url);
// After a change of the declaration: UPDATE_EXAMPLE=1 with the test command writes the file anew.
if (process.env.UPDATE_EXAMPLE) writeFileSync(file, renderExampleConfig());
const example = readFileSync(file, 'utf8');

const KEY_LINE = /^# ([a-z0-9_]+ = .+)$/;

/** The example with those of its `# key = value` lines in force that `chosen` says, seeing the line above. */
function uncommented(chosen: (line: string, above: string) => boolean): string {
  const lines = example.split('\n');
  return lines
    .map((line, index) =>
      KEY_LINE.test(line) && chosen(line, lines[index - 1] ?? '') ? line.slice(2) : line,
    )
    .join('\n');
}

function keysIn(table: object, prefix = ''): string[] {
  return Object.entries(table).flatMap(([name, value]: [string, unknown]) => {
    const key = prefix + name;
    const isSection =
      typeof value === 'object' && value !== null && !Array.isArray(value) && !settings.has(key);
    return isSection ? keysIn(value, `${key}.`) : [key];
  });
}

describe('service.example.toml', () => {
  it('is what the declaration says', () => {
    expect(example).toBe(renderExampleConfig());
  });

  it('changes nothing as it stands', () => {
    const cwd = folderWith({ 'service.toml': example });
    expect(loadConfig({ env: {}, cwd })).toEqual(loadConfig({ env: { SERVICE_CONFIG: '' }, cwd }));
    expect(withoutFolder(load({}, example))).toEqual(withoutFolder(load()));
  });

  it('names exactly the declared keys', () => {
    const keys = keysIn(parse(uncommented(() => true)));
    expect(keys.sort()).toEqual([...settings.keys()].sort());
  });

  it('states the real defaults', () => {
    // One default of the mail section would switch mail on, which needs the required keys too.
    const stated = uncommented((_line, above) => above.startsWith('# Default: '));
    const smtp = { SERVICE_IDENTITY__SMTP__HOST: 'mail', SERVICE_IDENTITY__SMTP__FROM: 'a@example.com' };
    expect(withoutFolder(load(smtp, stated))).toEqual(withoutFolder(load(smtp)));
    expect(stated.match(/^[a-z0-9_]+ = /gm)?.length).toBeGreaterThan(30);
  });

  it('gives examples that are accepted', () => {
    const env = {
      DATA_KEY,
      ADMIN_TOKEN: 't',
      SENTINEL_PASSWORD: 's',
      WEBHOOK_SECRET: 'w',
      SMTP_PASSWORD: 'p',
    };
    // The key pair and the owner of the other profile cannot stand beside the rest.
    const all = uncommented((line) => !/^# (jwt_pem|bundle_project) /.test(line));
    const config = load(env, all);
    expect(config.database.url).toMatch(/^postgres:/);
    expect(config.functions.handlers).toEqual({ welcome: 'https://example.com/welcome' });
  });

  it('holds one sentence for every key', () => {
    for (const [key, { doc }] of settings)
      expect([key, doc]).toEqual([key, expect.stringMatching(/^[A-Z].+\.$/)]);
  });
});

/** Every load has a folder of its own, and knows what was written; neither is what is compared. */
function withoutFolder(config: Config): Config {
  return { ...config, written: {}, server: { ...config.server, dataDir: '' } };
}
