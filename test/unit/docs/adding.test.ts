import { exercises, patches } from '../../support/documents/exercises.js';
import { textOf } from '../../support/documents/markdown.js';

/** A file that a patch changes, with the consecutive lines that each hunk finds there. */
interface PatchedFile {
  readonly file: string;
  readonly found: readonly string[];
}

function patchedFiles(patch: string): PatchedFile[] {
  const files = textOf(patch)
    .split(/^diff --git .*\n/m)
    .slice(1);
  return files.map((text) => {
    const [head = '', ...hunks] = text.split(/^@@ .*\n/m);
    const before = (hunk: string): string[] => hunk.split('\n').filter((line) => /^[ -]/.test(line));
    return {
      file: /^--- a\/(.+)$/m.exec(head)?.[1] ?? '',
      found: hunks.map((hunk) =>
        before(hunk)
          .map((line) => line.slice(1))
          .join('\n'),
      ),
    };
  });
}

// test/slow/e2e/docs/exercises.test.ts applies the patches, and runs the tests that the page names.
describe('docs/adding.md', () => {
  it('has a patch for each exercise', () => {
    expect(
      exercises()
        .map(({ patch }) => patch)
        .sort(),
    ).toEqual(patches().sort());
  });

  it.each(exercises())('lists the files that $patch changes', ({ patch, listed }) => {
    expect(listed.toSorted()).toEqual(
      patchedFiles(patch)
        .map(({ file }) => file)
        .sort(),
    );
  });

  it.each(exercises())('has a patch that fits the code as it is: $patch', ({ patch }) => {
    const missing = patchedFiles(patch).flatMap(({ file, found }) =>
      found.filter((lines) => !textOf(file).includes(`${lines}\n`)).map((lines) => ({ file, lines })),
    );
    expect(missing).toEqual([]);
  });
});
