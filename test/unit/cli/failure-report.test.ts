import { jest } from '@jest/globals';
import { reportFailure } from '../../../servicectl/src/failure-report.js';
import { EXIT_CONFIG, StartupError } from '../../../src/platform/startup/index.js';

it.each([
  [1, 'failed', new StartupError('the port is taken')],
  [78, 'faulty_configuration', new StartupError('the password is wrong', { exitCode: EXIT_CONFIG })],
])('an error of the program’s start ends a command with its exit code %d', async (exitCode, code, error) => {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  expect(await reportFailure(error, true)).toBe(exitCode);
  expect(await reportFailure(error, false)).toBe(exitCode);
  const written = write.mock.calls.map(([text]) => text);
  write.mockRestore();
  expect(written).toEqual([
    `${JSON.stringify({ error: { code, message: error.message } })}\n`,
    `error: ${error.message}\n`,
  ]);
});
