import dockerignore from '@balena/dockerignore';
import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** The paths that the Dockerfile copies from the build context, as opposed to from another stage. */
function copiedPaths(): string[] {
  const commands = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+)$/gm)];
  return commands.flatMap(([, operands = '']) => operands.split(/\s+/).slice(0, -1));
}

describe('the image', () => {
  it('copies only paths that exist and that .dockerignore lets through', () => {
    const paths = copiedPaths();
    expect(paths.length).toBeGreaterThan(5);
    const ignored = dockerignore.default().add(read('.dockerignore')).createFilter();
    const missing = paths.filter((path) => {
      const place = fileURLToPath(new URL(path, root));
      // Of a folder, its content is what is copied.
      const probe = existsSync(place) && statSync(place).isDirectory() ? `${path}/file` : path;
      return !existsSync(place) || !ignored(probe);
    });
    expect(missing).toEqual([]);
  });
});
