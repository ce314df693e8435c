import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { blocksOf, documents, REPOSITORY, textOf } from '../../support/documents/markdown.js';
import { load } from '../config/loading.js';

const blocks = documents().flatMap(blocksOf);
/** 32 bytes in base64 do for every secret that a document refers to. */
const SECRET = Buffer.alloc(32, 7).toString('base64');

function inLanguage(language: string): typeof blocks {
  return blocks.filter((block) => block.language === language);
}

/** The anchors of a document, as GitHub makes them of its headings. */
function anchorsOf(document: string): string[] {
  const prose = textOf(document).replaceAll(/^ *```[^]*?^ *```$/gm, '');
  return [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Links of a document to files of the repository, with the anchor where there is one. */
function linksOf(document: string): { link: string; file: string; anchor: string | undefined }[] {
  const prose = textOf(document).replaceAll(/^ *```[^]*?^ *```$/gm, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^https?:/.test(link))
    .map((link) => {
      const [target = '', anchor] = link.split('#');
      const file = target === '' ? document : path.join(path.dirname(document), target);
      return { link, file, anchor };
    });
}

describe('a block of the documents', () => {
  it('has one of the languages that are checked, or none as an answer', () => {
    const checked = ['', 'console', 'sh', 'json', 'toml', 'yaml', 'js', 'mermaid', 'sql', 'text'];
    expect(blocks.filter(({ language }) => !checked.includes(language))).toEqual([]);
  });

  it.each(inLanguage('sh'))('at $place is what bash can read', ({ text }) => {
    expect(spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' }).stderr).toBe('');
  });

  it.each(inLanguage('json'))('at $place is JSON', ({ text }) => {
    expect(() => JSON.parse(text) as unknown).not.toThrow();
  });

  it.each(inLanguage('yaml'))('at $place is YAML', ({ text }) => {
    expect(parseAllDocuments(text).flatMap(({ errors }) => errors)).toEqual([]);
  });

  it.each(inLanguage('js'))('at $place is a module in JavaScript', ({ text }) => {
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--check'], {
      input: text,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
  });

  it.each(inLanguage('toml'))('at $place is a configuration that the program takes', ({ text }) => {
    const referenced = [...text.matchAll(/"env:(\w+)"/g)].map(([, name = '']) => [name, SECRET] as const);
    expect(() => load(Object.fromEntries(referenced), text)).not.toThrow();
  });
});

describe.each(documents())('%s', (document) => {
  it('links to what is there', () => {
    const broken = linksOf(document).filter(
      ({ file, anchor }) =>
        !existsSync(path.join(REPOSITORY, file)) ||
        (anchor !== undefined && !(file.endsWith('.md') && anchorsOf(file).includes(anchor))),
    );
    expect(broken).toEqual([]);
  });
});

describe('docs/README.md', () => {
  it('leads to every document of the folder', () => {
    const led = new Set(linksOf('docs/README.md').map(({ file }) => file));
    const here = documents().filter((document) => /^docs\/[^/]+\.md$/.test(document));
    expect(here.filter((document) => document !== 'docs/README.md' && !led.has(document))).toEqual([]);
  });
});

describe.each(['README.md', 'docs/quick-start.md'])('what %s leaves in the checkout', (document) => {
  it('is in folders that git ignores', () => {
    const ignored = textOf('.gitignore')
      .split('\n')
      .filter((line) => line.endsWith('/'))
      .map((line) => line.replace(/^\//, ''));
    const commands = blocksOf(document).filter(({ language }) => language === 'sh');
    const written = commands.flatMap(({ text }) =>
      [...text.matchAll(/(?:\bcat > |\bmkdir -p |\bsed -i\S* '.*' |__DATA_DIR=)(\S+)/g)].map(
        ([, file = '']) => file,
      ),
    );
    expect(written.length).toBeGreaterThan(0);
    expect(written.filter((file) => !ignored.some((folder) => `${file}/`.startsWith(folder)))).toEqual([]);
  });
});

describe('the layout in the README', () => {
  const [, layout = ''] = /^## Layout\n+```text\n([^]*?)^```$/m.exec(textOf('README.md')) ?? [];
  const listed = (indent: RegExp): string[] =>
    layout.split('\n').flatMap((line) => indent.exec(line)?.slice(1, 2) ?? []);

  it('lists each folder of src, and none that is not there', () => {
    const folders = readdirSync(path.join(REPOSITORY, 'src'), { withFileTypes: true });
    const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(listed(/^[├└]── ([\w-]+)\/ /).sort()).toEqual(names.sort());
  });

  it('lists no folder beside src that is not there', () => {
    const missing = listed(/^([\w-]+)\/ /).filter((name) => !existsSync(path.join(REPOSITORY, name)));
    expect(missing).toEqual([]);
  });
});
