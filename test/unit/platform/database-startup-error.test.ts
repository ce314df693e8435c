import { startupError } from '../../../src/platform/database/index.js';

function said(code: string, message: string, options: string): string | undefined {
  const url = `postgres://service:secret@db:5432/service?options=${encodeURIComponent(options)}`;
  return startupError(Object.assign(new Error(message), { code }), url)?.message;
}

describe('a refusal of PostgreSQL that options of the URL cause', () => {
  it.each([
    ['57P05', 'terminating connection due to idle-session timeout', 'idle_session_timeout'],
    ['25P04', 'terminating connection due to transaction timeout', 'transaction_timeout'],
    ['42501', 'permission denied to set parameter "log_statement"', 'log_statement'],
    [
      '58P01',
      'could not access file "$libdir/plugins/x": No such file or directory',
      'local_preload_libraries',
    ],
    ['25006', 'cannot execute CREATE TABLE in a read-only transaction', 'default_transaction_read_only'],
  ])('as %s "%s" names them, and blames nobody else', (code, message, setting) => {
    expect(said(code, message, `-c ${setting}=1`)).toBe(
      `database.url (SERVICE_DATABASE__URL) sets ${setting} in its options, with which PostgreSQL at db:5432 refuses the program (${message}); remove it from the URL`,
    );
    expect(said(code, message, '-c work_mem=64MB')).not.toContain('in its options');
  });
});
