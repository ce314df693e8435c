const { asPrepareError, PrepareError } = (await import(
  new URL('../../../scripts/prepare/report.mjs', import.meta.url).href
)) as { asPrepareError: (error: Error) => Error | null; PrepareError: new () => Error };

describe('a clone that may not be written', () => {
  it.each(['EACCES', 'EPERM', 'EROFS'])('is refused in one sentence that names the path: %s', (code) => {
    const error = Object.assign(new Error(`${code}: open '/opt/service/dist/.stamp'`), { code });
    const refusal = asPrepareError(error);
    expect(refusal).toBeInstanceOf(PrepareError);
    expect(refusal?.message).toMatch(
      /^The clone cannot be prepared: .*'\/opt\/service\/dist\/\.stamp'\. Run the command as the account that owns \S+, or prepare the clone as that account once, with: node scripts\/prepare\.mjs$/,
    );
  });

  it('is told from every other fault', () => {
    expect(asPrepareError(Object.assign(new Error('ENOENT'), { code: 'ENOENT' }))).toBeNull();
  });
});
