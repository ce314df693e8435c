import { problemAt, problemBeside } from '../../../console/src/parts/problems.js';

const SENTENCE = 'Fields are missing, unknown or invalid; details lists each with its path.';

function refused(...details: { path: string; message: string }[]): Error {
  return Object.assign(new Error(SENTENCE), { code: 'validation_failed', details });
}

describe('the problems of a refused request', () => {
  const error = refused(
    { path: 'password', message: 'must have at least 8 characters' },
    { path: 'hosts[1]', message: 'must be a host' },
    { path: 'port', message: 'must be a number' },
    { path: '', message: 'must have one proof' },
  );

  it('are shown at their fields, and those in a list with their place', () => {
    expect(problemAt(error, 'password')).toBe('must have at least 8 characters');
    expect(problemAt(error, 'hosts')).toBe('hosts[1]: must be a host');
    expect(problemAt(error, 'pass')).toBeUndefined();
    expect(problemAt(new Error('no'), 'password')).toBeUndefined();
  });

  it('are shown at the form where they are of no field on it, never as the sentence that there are some', () => {
    expect(problemBeside(error, ['password', 'hosts'])).toBe('port: must be a number; must have one proof');
    expect(
      problemBeside(refused({ path: 'password', message: 'must not be empty' }), ['password']),
    ).toBeNull();
    expect(problemBeside(refused({ path: 'password', message: 'must not be empty' }))).toBe(
      'password: must not be empty',
    );
  });

  it('leave the words of any other error as they are', () => {
    expect(problemBeside(null)).toBeNull();
    expect(problemBeside(new Error('no'))).toBe('no');
    expect(problemBeside(refused())).toBe(SENTENCE);
    const weak = Object.assign(new Error('The password is among the most used ones.'), {
      code: 'weak_password',
      details: [{ path: 'password', message: 'is among the 100,000 most used' }],
    });
    expect(problemBeside(weak)).toBe('The password is among the most used ones.');
    expect(problemBeside(weak, ['password'])).toBeNull();
  });
});
