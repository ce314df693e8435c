import { readFileSync } from 'node:fs';

const TYPEORM = new URL('../../node_modules/typeorm/package.json', import.meta.url);

/**
 * Modules whose code is loaded, but never used:
 *
 * - @nestjs/typeorm looks in TypeORM for two exports of its releases before 1.0, in a way that the bundler does not see.
 *   That would load a second TypeORM beside the one in the bundle.
 * - The mailer can show mails in a browser, which takes three megabytes of template languages.
 */
const UNUSED = [
  {
    filter: /[\\/]@nestjs[\\/]typeorm[\\/]dist[\\/]common[\\/]typeorm-compat\.js$/,
    contents: 'export const Connection = undefined;\nexport const AbstractRepository = undefined;\n',
  },
  { filter: /[\\/]node_modules[\\/]preview-email[\\/]/, contents: 'module.exports = undefined;\n' },
];

/** Replaces these modules, and so leaves out what they import. */
export const leaveOutWhatIsUnused = {
  name: 'leave out what is unused',
  setup({ onLoad, onStart }) {
    onStart(() => {
      const { version } = JSON.parse(readFileSync(TYPEORM, 'utf8'));
      if (Number.parseInt(version, 10) < 1)
        return {
          errors: [{ text: `TypeORM ${version} has exports that scripts/bundle/unused-code.mjs drops` }],
        };
      return undefined;
    });
    for (const { filter, contents } of UNUSED) onLoad({ filter }, () => ({ contents, loader: 'js' }));
  },
};
