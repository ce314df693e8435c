import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const BASE = readFileSync(join(ROOT, 'console/src/mantine-styles.ts'), 'utf8');

function styleOf(component: string): string {
  return `@mantine/core/styles/${component}.layer.css`;
}

/** Components that a component of Mantine is made of, such as the indicator of a segmented control. */
function partsOf(component: string): string[] {
  const file = join(ROOT, `node_modules/@mantine/core/esm/components/${component}/${component}.mjs`);
  if (!existsSync(file)) return [];
  return [...readFileSync(file, 'utf8').matchAll(/from "\.\.\/(\w+)\/\1\.mjs"/g)].map(
    ([, name = '']) => name,
  );
}

/** The components of Mantine that a file imports, types left out, with what these are made of. */
function componentsOf(text: string): string[] {
  const [, names = ''] = /import \{([^}]*)\} from '@mantine\/core'/.exec(text) ?? [];
  const found = new Set(names.split(',').map((name) => name.trim()));
  for (const component of found) for (const part of partsOf(component)) found.add(part);
  return [...found];
}

it('each component of Mantine in the console has its style', () => {
  const files = readdirSync(join(ROOT, 'console/src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => join('console/src', name));
  const missing = files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    return componentsOf(text)
      .map(styleOf)
      .filter((style) => existsSync(join(ROOT, 'node_modules', style)))
      .filter((style) => !BASE.includes(style) && !text.includes(style))
      .map((style) => `${file}: import '${style}'`);
  });
  expect(files.length).toBeGreaterThan(10);
  expect(partsOf('SegmentedControl')).toContain('FloatingIndicator');
  expect(missing).toEqual([]);
});
